package dev.caliber.memory.policy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.commit.CheckpointHandler;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.commit.ScopeHandler;
import dev.caliber.memory.commit.TaskPassages;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Executes one policy step in one commit; skips what an earlier step has done. */
public final class PolicyStepHandler {
  private final UnitOfWork unitOfWork;
  private final ScopeHandler scopes;
  private final CheckpointHandler checkpoints;
  private final ConsolidationHandler consolidation;
  private final RuleBasedExtraction ruleBasedExtraction;

  public PolicyStepHandler(
      UnitOfWork unitOfWork,
      ScopeHandler scopes,
      CheckpointHandler checkpoints,
      ConsolidationHandler consolidation,
      RuleBasedExtraction ruleBasedExtraction) {
    this.unitOfWork = unitOfWork;
    this.scopes = scopes;
    this.checkpoints = checkpoints;
    this.consolidation = consolidation;
    this.ruleBasedExtraction = ruleBasedExtraction;
  }

  /**
   * Returns the run after this commit: past its step, or still at it when work is left.
   *
   * @param most maximum number of records for a step that spans several commits
   */
  public PolicyRun advance(PolicyRun run, int most) {
    PolicyStep step = run.currentStep();
    Optional<PolicyRun> more =
        run.hasAlreadyDone(step.action()) ? Optional.empty() : performStep(run, step, most);
    PolicyRun next = more.orElseGet(() -> run.atNextStep(unitOfWork.now()));
    saveProgress(unitOfWork, next);
    return next;
  }

  /** Stores the position of a run. */
  static void saveProgress(UnitOfWork unitOfWork, PolicyRun next) {
    unitOfWork.transaction().put(PolicyRun.TABLE, next);
    if (next.isDone()) {
      unitOfWork.transaction().append(TraceEvent.TABLE, executedTrace(unitOfWork, next));
    }
  }

  private static TraceEvent executedTrace(UnitOfWork unitOfWork, PolicyRun run) {
    return TraceEvent.of(
            unitOfWork.transaction(),
            "policy_executed",
            EntityRef.of(EntityType.TRAJECTORY, run.trajectory().orElse(run.id())),
            run.trajectory())
        .withScope(run.scope())
        .withDetail(run.trigger())
        .withDuration(Duration.between(run.createdAt(), unitOfWork.now()));
  }

  /** Performs the step; returns the run at the same step if work is left. */
  private Optional<PolicyRun> performStep(PolicyRun run, PolicyStep step, int most) {
    switch (step.action()) {
      case PolicyAction.SummarizeAction _ -> {
        return summarizeTarget(run, step);
      }
      case PolicyAction.ExtractArtifactsAction _ -> {
        return forNextScope(run, this::extractArtifacts);
      }
      case PolicyAction.CheckpointAction _ -> saveCheckpoint(run);
      case PolicyAction.ConsolidateAction _ -> {
        return consolidation
            .consolidateNextBatch(run, most)
            .next()
            .map(further -> run.withCursor(further, unitOfWork.now()));
      }
      case PolicyAction.NotifyAction(var channel) ->
          unitOfWork.publishNotice(channel, run.trajectory().orElse(run.id()));
      case PolicyAction.InjectAction(var memory, var mode) ->
          run.trajectory()
              .map(id -> MemoryInjection.of(id, memory, mode, unitOfWork.now()))
              .ifPresent(this::saveInjection);
      case PolicyAction.PruneAction(_, var criteria) -> {
        return new PruneStepHandler(unitOfWork, run, criteria, most)
            .prune(MemoryKind.valueOf(step.target()));
      }
    }
    return Optional.empty();
  }

  /** Saves an injection; an existing one keeps its creation time. */
  private void saveInjection(MemoryInjection wanted) {
    Optional<MemoryInjection> known =
        unitOfWork.transaction().find(MemoryInjection.TABLE, wanted.id());
    MemoryInjection made = known.map(wanted::withCreationTimeOf).orElse(wanted);
    if (known.filter(made::equals).isEmpty()) {
      unitOfWork.transaction().put(MemoryInjection.TABLE, made);
    }
  }

  /** Summarizes a scope for turns, and the trajectory for any other kind. */
  private Optional<PolicyRun> summarizeTarget(PolicyRun run, PolicyStep step) {
    if (step.target().equals(MemoryKind.TURN.name())) {
      return forNextScope(run, this::summarizeScope);
    }
    run.trajectory().ifPresent(id -> summarizeTrajectory(id, MemoryKind.valueOf(step.target())));
    return Optional.empty();
  }

  /** Works on one scope in this commit, because a trajectory may have any number of them. */
  private Optional<PolicyRun> forNextScope(PolicyRun run, Consumer<Scope> work) {
    PolicyStepTarget policyStepTarget = PolicyStepTarget.of(unitOfWork.view(), run);
    policyStepTarget.scope().ifPresent(work);
    return policyStepTarget.next().map(further -> run.withCursor(further, unitOfWork.now()));
  }

  private void summarizeScope(Scope scope) {
    if (!scope.isSummarized()) {
      scopes.summarize(scope, lastTurns(scope));
    }
  }

  private void summarizeTrajectory(Id trajectory, MemoryKind kind) {
    TaskPassages task =
        ruleBasedExtraction.taskPassages(unitOfWork.view(), trajectory, kind, unitOfWork.now());
    Summary summary =
        unitOfWork
            .preCommitModelResults()
            .summary(trajectory, task.passages())
            .orElseGet(() -> ruleBasedExtraction.summarize(task.passages()))
            .withExtent(task.extent());
    boolean news = !unitOfWork.view().trajectory(trajectory).summary().equals(Optional.of(summary));
    if (news && !summary.sentences().isEmpty()) {
      unitOfWork.replaceSummary(trajectory, summary);
    }
  }

  private void extractArtifacts(Scope scope) {
    scopes.extractArtifacts(scope, lastTurns(scope));
  }

  private List<Turn> lastTurns(Scope scope) {
    return unitOfWork.view().lastTurns(scope.id(), unitOfWork.config().limits().summarySources());
  }

  /** Saves a checkpoint, unless the close has made one for the scope. */
  private void saveCheckpoint(PolicyRun run) {
    Optional<Scope> scope = run.scope().map(unitOfWork.view()::scope);
    boolean made = scope.filter(closed -> closed.checkpoint().isPresent()).isPresent();
    if (!made) {
      run.trajectory()
          .ifPresent(id -> checkpoints.save(new SaveCheckpoint(id, run.scope(), Optional.empty())));
    }
  }
}
