package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summary;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Does one step of a run in one commit. What an earlier step or the close has done is not done
 * again.
 */
final class PolicyWork {
  private final Desk desk;
  private final ScopeWork scopes;
  private final CheckpointWork checkpoints;
  private final Digest digest;

  PolicyWork(Desk desk, ScopeWork scopes, CheckpointWork checkpoints, Digest digest) {
    this.desk = desk;
    this.scopes = scopes;
    this.checkpoints = checkpoints;
    this.digest = digest;
  }

  /** The run after this commit: past its step, or still at it when there is more to prune. */
  PolicyRun advance(PolicyRun run) {
    PolicyStep step = run.step();
    boolean more = !run.hasDone(step.action()) && act(run, step);
    PolicyRun next = more ? run : run.advanced(desk.now());
    desk.transaction().put(PolicyRun.TABLE, next);
    if (next.isDone()) {
      desk.transaction().insert(TraceEvent.TABLE, executed(next));
    }
    return next;
  }

  private TraceEvent executed(PolicyRun run) {
    return TraceEvent.of(
            desk.transaction(),
            "policy_executed",
            EntityRef.of(EntityType.TRAJECTORY, run.trajectory().orElse(run.id())),
            run.trajectory())
        .in(run.scope())
        .saying(run.trigger())
        .lasting(Duration.between(run.createdAt(), desk.now()));
  }

  private boolean act(PolicyRun run, PolicyStep step) {
    switch (step.action()) {
      case PolicyAction.Summarize _ -> summarize(run, step);
      case PolicyAction.ExtractArtifacts _ -> reach(run).forEach(this::extract);
      case PolicyAction.Checkpoint _ -> checkpoint(run);
      case PolicyAction.Notify(var channel) ->
          desk.tell(channel, run.trajectory().orElse(run.id()));
      case PolicyAction.Inject(var memory, var mode) ->
          run.trajectory()
              .map(id -> Injection.of(id, memory, mode, desk.now()))
              .ifPresent(made -> desk.transaction().put(Injection.TABLE, made));
      case PolicyAction.Prune(_, var criteria) -> {
        return new Pruning(desk, run, criteria).prune(MemoryKind.valueOf(step.target()));
      }
    }
    return false;
  }

  /** Turns give their scope a summary; anything larger gives the trajectory one. */
  private void summarize(PolicyRun run, PolicyStep step) {
    if (step.target().equals(MemoryKind.TURN.name())) {
      reach(run).filter(scope -> !isSummarized(scope)).forEach(this::summarize);
    } else {
      run.trajectory().ifPresent(id -> summarize(id, MemoryKind.valueOf(step.target())));
    }
  }

  private void summarize(Scope scope) {
    scopes.summarize(scope, Optional.empty(), lastTurns(scope));
  }

  private static boolean isSummarized(Scope scope) {
    return !scope.isOpen() && scope.summary().isPresent();
  }

  private void summarize(Id trajectory, MemoryKind kind) {
    Summary summary = digest.summarize(passages(trajectory, kind));
    boolean news = !desk.view().trajectory(trajectory).summary().equals(Optional.of(summary));
    if (news && !summary.sentences().isEmpty()) {
      desk.emit(new TrajectorySummarized(trajectory, summary, desk.now()));
    }
  }

  /** The sentences of scopes keep the turns they came from, so that the way back is one step. */
  private List<Passage> passages(Id trajectory, MemoryKind kind) {
    return switch (kind) {
      case ARTIFACT ->
          desk.view().artifacts(trajectory).stream()
              .filter(artifact -> artifact.isLive(desk.now()))
              .flatMap(Digest::passage)
              .toList();
      case NOTE -> desk.view().notesLearnedIn(trajectory).stream().map(Digest::passage).toList();
      case TURN, SCOPE, TRAJECTORY ->
          desk.view().scopes(trajectory).stream()
              .flatMap(scope -> scope.summary().stream())
              .flatMap(Digest::passages)
              .toList();
    };
  }

  private void extract(Scope scope) {
    scopes.extract(scope, lastTurns(scope));
  }

  private List<Turn> lastTurns(Scope scope) {
    return desk.view().lastTurns(scope.id(), desk.config().limits().summarized());
  }

  /** The close has made one for its scope. */
  private void checkpoint(PolicyRun run) {
    Optional<Scope> scope = run.scope().map(desk.view()::scope);
    boolean made = scope.filter(closed -> closed.checkpoint().isPresent()).isPresent();
    if (!made) {
      run.trajectory()
          .ifPresent(id -> checkpoints.save(new SaveCheckpoint(id, run.scope(), Optional.empty())));
    }
  }

  /** The scope of the run, or all of its trajectory. */
  private Stream<Scope> reach(PolicyRun run) {
    return run.scope().isPresent()
        ? run.scope().map(desk.view()::scope).stream()
        : run.trajectory().map(desk.view()::scopes).stream().flatMap(List::stream);
  }
}
