package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.event.MemoryEvent.ScopeArtifactsExtracted;
import dev.caliber.memory.event.MemoryEvent.ScopeClosed;
import dev.caliber.memory.event.MemoryEvent.ScopeOpened;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.ContinuationPoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Query;
import java.util.List;
import java.util.Optional;

/** Handles opening, summarizing and closing of scopes. */
public final class ScopeHandler {
  private final UnitOfWork unitOfWork;
  private final ArtifactHandler artifacts;
  private final CheckpointHandler checkpoints;
  private final RuleBasedExtraction ruleBasedExtraction;

  public ScopeHandler(
      UnitOfWork unitOfWork,
      ArtifactHandler artifacts,
      CheckpointHandler checkpoints,
      RuleBasedExtraction ruleBasedExtraction) {
    this.unitOfWork = unitOfWork;
    this.artifacts = artifacts;
    this.checkpoints = checkpoints;
    this.ruleBasedExtraction = ruleBasedExtraction;
  }

  public Scope open(OpenScope command) {
    return open(command.trajectory(), Optional.empty());
  }

  Scope open(Id id, Optional<ContinuationPoint> from) {
    Trajectory trajectory = requireOngoingTrajectory(id);
    int sequence = unitOfWork.view().nextScopeSequence(trajectory.id());
    Scope scope =
        Scope.opened(unitOfWork.newId(), trajectory, sequence, unitOfWork.now())
            .withContinuation(from);
    unitOfWork.emit(new ScopeOpened(scope));
    return scope;
  }

  /** Returns the continuation point of a checkpoint; empty if no scope was open. */
  Optional<ContinuationPoint> continuationPoint(Checkpoint from) {
    return from.activeScope()
        .flatMap(
            active ->
                unitOfWork
                    .view()
                    .first(
                        Query.over(Scope.TABLE, "trajectory", "sequence")
                            .equal(from.trajectory(), (long) active)))
        .map(
            scope ->
                new ContinuationPoint(
                    scope.trajectory(), scope.id(), from.turns(), from.createdAt()));
  }

  /** Closes a scope: summary, artifacts, checkpoint and end, all in this commit. */
  public Scope close(CloseScope command) {
    Scope scope = unitOfWork.view().scope(command.scope());
    if (!scope.isOpen()) {
      return scope;
    }
    List<Turn> turns = lastTurns(scope);
    summarize(scope, turns);
    extractArtifacts(scope, turns);
    markClosed(scope);
    saveCheckpoint(scope);
    expireBoundArtifacts(scope);
    unitOfWork.fire(
        Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE,
        scope.id(),
        scope.trajectory(),
        Optional.of(scope.id()));
    return unitOfWork.view().scope(scope.id());
  }

  /** Closes an abandoned scope; the reason replaces a missing summary. */
  void closeAbandoned(Scope scope, String reason) {
    if (scope.isOpen()) {
      if (scope.summary().isEmpty()) {
        unitOfWork.replaceSummary(scope, Summary.placeholder(reason, scope.id()));
      }
      markClosed(scope);
    }
  }

  /** Closes a scope with a summary of its live turns, without artifacts and checkpoint. */
  void closeWithSummary(Scope scope) {
    summarize(scope, lastTurns(scope));
    markClosed(scope);
  }

  private void markClosed(Scope scope) {
    int end = unitOfWork.view().trajectory(scope.trajectory()).counters().turns();
    unitOfWork.emit(
        new ScopeClosed(
            scope.trajectory(),
            scope.id(),
            end,
            unitOfWork.view().countTurnsEverAppended(scope),
            unitOfWork.now()));
  }

  private List<Turn> lastTurns(Scope scope) {
    return unitOfWork.view().lastTurns(scope.id(), unitOfWork.config().limits().summarySources());
  }

  /** Summarizes the live turns of the scope, unless there is nothing to say. */
  public void summarize(Scope scope, List<Turn> turns) {
    List<Passage> passages = ruleBasedExtraction.turnPassages(turns);
    Summary summary =
        unitOfWork
            .preCommitModelResults()
            .summary(scope.id(), passages)
            .orElseGet(() -> ruleBasedExtraction.summarize(passages))
            .withExtent(
                ruleBasedExtraction.scopeExtent(unitOfWork.view(), scope.id(), turns.size()));
    if (!summary.sentences().isEmpty() && !scope.summary().equals(Optional.of(summary))) {
      unitOfWork.replaceSummary(scope, summary);
    }
  }

  /** Creates artifacts from the turns. */
  public void extractArtifacts(Scope scope, List<Turn> turns) {
    RuleBasedExtraction.ExtractedArtifacts extractedArtifacts = findArtifacts(scope, turns);
    List<Id> found =
        extractedArtifacts.artifacts().stream()
            .map(artifacts::create)
            .map(Artifact::id)
            .distinct()
            .toList();
    if (!scope.artifacts().containsAll(found)) {
      unitOfWork.emit(new ScopeArtifactsExtracted(scope.trajectory(), scope.id(), found));
    }
    traceOmissions(scope, turns.size(), extractedArtifacts.leftOut());
  }

  /** Traces the number of findings and turns that were left out. */
  private void traceOmissions(Scope scope, int last, int findings) {
    long turns =
        ruleBasedExtraction
            .scopeExtent(unitOfWork.view(), scope.id(), last)
            .map(part -> part.all() - part.newest())
            .orElse(0L);
    if (findings > 0 || turns > 0) {
      unitOfWork
          .transaction()
          .append(
              TraceEvent.TABLE,
              TraceEvent.of(
                      unitOfWork.transaction(),
                      "extraction_truncated",
                      EntityRef.of(EntityType.SCOPE, scope.id()),
                      Optional.of(scope.trajectory()))
                  .withScope(Optional.of(scope.id()))
                  .withDetail("left out: %d findings, %d older turns".formatted(findings, turns)));
    }
  }

  private RuleBasedExtraction.ExtractedArtifacts findArtifacts(Scope scope, List<Turn> turns) {
    PreCommitModelResults.ExtractorAnswer found =
        unitOfWork
            .preCommitModelResults()
            .findings(scope.id(), ruleBasedExtraction.turnPassages(turns));
    return found.asked()
        ? found
            .extract()
            .map(
                extractionResult ->
                    ruleBasedExtraction.artifactsOfModel(scope, turns, extractionResult))
            .orElseGet(() -> ruleBasedExtraction.fallbackArtifacts(scope, turns))
        : ruleBasedExtraction.artifactsByRules(scope, turns);
  }

  private void saveCheckpoint(Scope scope) {
    if (unitOfWork.runtime().pcp().checkpoints().frequency()
        != ContextIntegrityConfig.CheckpointFrequency.MANUAL) {
      checkpoints.save(SaveCheckpoint.of(scope.trajectory(), scope.id()));
    }
  }

  /**
   * Expires artifacts bound to the scope, or to an earlier one of its trajectory that it continues.
   */
  private void expireBoundArtifacts(Scope scope) {
    Optional<Scope> next = Optional.of(scope);
    while (next.isPresent()) {
      new ArtifactExpiryRunner(unitOfWork)
          .expireFirstBatch(
              new ArtifactExpiryRunner.ExpiryTarget(
                  scope.trajectory(), Optional.of(next.get().id())));
      next =
          next.get()
              .continues()
              .filter(from -> from.trajectory().equals(scope.trajectory()))
              .flatMap(from -> unitOfWork.transaction().find(Scope.TABLE, from.scope()));
    }
  }

  private Trajectory requireOngoingTrajectory(Id id) {
    Trajectory trajectory = unitOfWork.view().trajectory(id);
    if (trajectory.status().isTerminal()) {
      throw MemoryException.trajectoryEnded(trajectory);
    }
    return trajectory;
  }
}
