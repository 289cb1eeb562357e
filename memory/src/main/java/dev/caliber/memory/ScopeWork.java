package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PcpConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Continuation;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.ScopeClosed;
import dev.caliber.memory.record.MemoryEvent.ScopeOpened;
import dev.caliber.memory.record.MemoryEvent.ScopeYielded;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Query;
import java.util.List;
import java.util.Optional;

/** Decides how scopes open and close. */
final class ScopeWork {
  private final Desk desk;
  private final ArtifactWork artifacts;
  private final CheckpointWork checkpoints;
  private final Digest digest;

  ScopeWork(Desk desk, ArtifactWork artifacts, CheckpointWork checkpoints, Digest digest) {
    this.desk = desk;
    this.artifacts = artifacts;
    this.checkpoints = checkpoints;
    this.digest = digest;
  }

  Scope open(OpenScope command) {
    return open(command.trajectory(), Optional.empty());
  }

  Scope open(Id id, Optional<Continuation> from) {
    Trajectory trajectory = requireGoingOn(id);
    int sequence = desk.view().nextScope(trajectory.id());
    Scope scope = Scope.opened(desk.newId(), trajectory, sequence, desk.now()).continuing(from);
    desk.emit(new ScopeOpened(scope));
    return scope;
  }

  /** What a scope goes on from that begins at this checkpoint; nothing if no scope was open. */
  Optional<Continuation> continuation(Checkpoint from) {
    return from.activeScope()
        .flatMap(
            active ->
                desk.view()
                    .first(
                        Query.over(Scope.TABLE, "trajectory", "sequence")
                            .equal(from.trajectory(), (long) active)))
        .map(
            scope ->
                new Continuation(scope.trajectory(), scope.id(), from.turns(), from.createdAt()));
  }

  /** Summary, artifacts, checkpoint, end: each once, all in this commit. */
  Scope close(CloseScope command) {
    Scope scope = desk.view().scope(command.scope());
    if (!scope.isOpen()) {
      return scope;
    }
    List<Turn> turns = lastTurns(scope);
    summarize(scope, turns);
    extract(scope, turns);
    end(scope);
    checkpoint(scope);
    expire(scope);
    new Retaining(desk).closed(scope);
    desk.fire(Trigger.Event.SCOPE_CLOSE, scope.id(), scope.trajectory(), Optional.of(scope.id()));
    return desk.view().scope(scope.id());
  }

  /** Closes a scope that nobody goes on with; the reason stands where it has no summary. */
  void abandon(Scope scope, String reason) {
    if (scope.isOpen()) {
      if (scope.summary().isEmpty()) {
        desk.summarized(scope, Summary.placeholder(reason, scope.id()));
      }
      end(scope);
    }
  }

  /** Closes a scope with a summary of what is live in it, and nothing else. */
  void settle(Scope scope) {
    summarize(scope, lastTurns(scope));
    end(scope);
  }

  private void end(Scope scope) {
    int end = desk.view().trajectory(scope.trajectory()).counters().turns();
    desk.emit(
        new ScopeClosed(
            scope.trajectory(), scope.id(), end, desk.view().turnsSaid(scope), desk.now()));
  }

  private List<Turn> lastTurns(Scope scope) {
    return desk.view().lastTurns(scope.id(), desk.config().limits().summarized());
  }

  /** Gives the scope a summary of its live turns, unless there is nothing to say. */
  void summarize(Scope scope, List<Turn> turns) {
    List<Passage> passages = digest.passages(turns);
    Summary summary =
        desk.prepared()
            .summary(scope.id(), passages)
            .orElseGet(() -> digest.summarize(passages))
            .withExtent(digest.extent(desk.view(), scope.id(), turns.size()));
    if (!summary.sentences().isEmpty() && !scope.summary().equals(Optional.of(summary))) {
      desk.summarized(scope, summary);
    }
  }

  /** Makes artifacts of what the turns hold. */
  void extract(Scope scope, List<Turn> turns) {
    Digest.Wanted wanted = wanted(scope, turns);
    List<Id> found =
        wanted.artifacts().stream().map(artifacts::create).map(Artifact::id).distinct().toList();
    if (!scope.artifacts().containsAll(found)) {
      desk.emit(new ScopeYielded(scope.trajectory(), scope.id(), found));
    }
    leftOut(scope, turns.size(), wanted.leftOut());
  }

  /** What is not kept is counted, so that nobody takes what is there for all there was. */
  private void leftOut(Scope scope, int last, int findings) {
    long turns =
        digest
            .extent(desk.view(), scope.id(), last)
            .map(part -> part.all() - part.newest())
            .orElse(0L);
    if (findings > 0 || turns > 0) {
      desk.transaction()
          .append(
              TraceEvent.TABLE,
              TraceEvent.of(
                      desk.transaction(),
                      "extraction_limited",
                      EntityRef.of(EntityType.SCOPE, scope.id()),
                      Optional.of(scope.trajectory()))
                  .in(Optional.of(scope.id()))
                  .saying("left out: %d findings, %d older turns".formatted(findings, turns)));
    }
  }

  private Digest.Wanted wanted(Scope scope, List<Turn> turns) {
    Prepared.Findings found = desk.prepared().findings(scope.id(), digest.passages(turns));
    return found.asked()
        ? found
            .extract()
            .map(extract -> digest.artifacts(scope, turns, extract))
            .orElseGet(() -> digest.stoodIn(scope, turns))
        : digest.artifacts(scope, turns);
  }

  private void checkpoint(Scope scope) {
    if (desk.runtime().pcp().checkpoints().frequency() != PcpConfig.Frequency.MANUAL) {
      checkpoints.save(SaveCheckpoint.of(scope.trajectory(), scope.id()));
    }
  }

  /** What lives as long as the scope, or as one of its trajectory that it goes on from. */
  private void expire(Scope scope) {
    Optional<Scope> next = Optional.of(scope);
    while (next.isPresent()) {
      new Ending(desk).begin(new Ending.Over(scope.trajectory(), Optional.of(next.get().id())));
      next =
          next.get()
              .continues()
              .filter(from -> from.trajectory().equals(scope.trajectory()))
              .flatMap(from -> desk.transaction().find(Scope.TABLE, from.scope()));
    }
  }

  private Trajectory requireGoingOn(Id id) {
    Trajectory trajectory = desk.view().trajectory(id);
    if (trajectory.status().isTerminal()) {
      throw MemoryException.ended(trajectory);
    }
    return trajectory;
  }
}
