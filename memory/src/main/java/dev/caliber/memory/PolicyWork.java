package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Injection;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.PolicyStep;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Does one step of a run in one commit. What an earlier step or the close has done is not done
 * again.
 */
final class PolicyWork {
  private final Desk desk;
  private final ScopeWork scopes;
  private final CheckpointWork checkpoints;
  private final ConsolidationWork consolidation;
  private final Digest digest;

  PolicyWork(
      Desk desk,
      ScopeWork scopes,
      CheckpointWork checkpoints,
      ConsolidationWork consolidation,
      Digest digest) {
    this.desk = desk;
    this.scopes = scopes;
    this.checkpoints = checkpoints;
    this.consolidation = consolidation;
    this.digest = digest;
  }

  /**
   * The run after this commit: past its step, or still at it when there is more to do.
   *
   * @param most how many records a step that can stop in between takes at most
   */
  PolicyRun advance(PolicyRun run, int most) {
    PolicyStep step = run.step();
    Optional<PolicyRun> more = run.hasDone(step.action()) ? Optional.empty() : act(run, step, most);
    PolicyRun next = more.orElseGet(() -> run.advanced(desk.now()));
    move(desk, next);
    return next;
  }

  /** Writes down where a run is now. */
  static void move(Desk desk, PolicyRun next) {
    desk.transaction().put(PolicyRun.TABLE, next);
    if (next.isDone()) {
      desk.transaction().append(TraceEvent.TABLE, executed(desk, next));
    }
  }

  private static TraceEvent executed(Desk desk, PolicyRun run) {
    return TraceEvent.of(
            desk.transaction(),
            "policy_executed",
            EntityRef.of(EntityType.TRAJECTORY, run.trajectory().orElse(run.id())),
            run.trajectory())
        .in(run.scope())
        .saying(run.trigger())
        .lasting(Duration.between(run.createdAt(), desk.now()));
  }

  /** The run at the same step, if there is more of it to do. */
  private Optional<PolicyRun> act(PolicyRun run, PolicyStep step, int most) {
    switch (step.action()) {
      case PolicyAction.Summarize _ -> {
        return summarize(run, step);
      }
      case PolicyAction.ExtractArtifacts _ -> {
        return each(run, this::extract);
      }
      case PolicyAction.Checkpoint _ -> checkpoint(run);
      case PolicyAction.Consolidate _ -> {
        return consolidation
            .consolidate(run, most)
            .next()
            .map(further -> run.reached(further, desk.now()));
      }
      case PolicyAction.Notify(var channel) ->
          desk.tell(channel, run.trajectory().orElse(run.id()));
      case PolicyAction.Inject(var memory, var mode) ->
          run.trajectory()
              .map(id -> Injection.of(id, memory, mode, desk.now()))
              .ifPresent(this::inject);
      case PolicyAction.Prune(_, var criteria) -> {
        return new Pruning(desk, run, criteria, most).prune(MemoryKind.valueOf(step.target()));
      }
    }
    return Optional.empty();
  }

  /** What is injected already stays as it is. */
  private void inject(Injection wanted) {
    Optional<Injection> known = desk.transaction().find(Injection.TABLE, wanted.id());
    Injection made = known.map(wanted::since).orElse(wanted);
    if (known.filter(made::equals).isEmpty()) {
      desk.transaction().put(Injection.TABLE, made);
    }
  }

  /** Turns give their scope a summary; anything larger gives the trajectory one. */
  private Optional<PolicyRun> summarize(PolicyRun run, PolicyStep step) {
    if (step.target().equals(MemoryKind.TURN.name())) {
      return each(run, this::summarize);
    }
    run.trajectory().ifPresent(id -> summarize(id, MemoryKind.valueOf(step.target())));
    return Optional.empty();
  }

  /** A scope in a commit: a trajectory may have had any number. */
  private Optional<PolicyRun> each(PolicyRun run, Consumer<Scope> work) {
    Reach reach = Reach.of(desk.view(), run);
    reach.scope().ifPresent(work);
    return reach.next().map(further -> run.reached(further, desk.now()));
  }

  private void summarize(Scope scope) {
    if (!scope.isSummarized()) {
      scopes.summarize(scope, lastTurns(scope));
    }
  }

  private void summarize(Id trajectory, MemoryKind kind) {
    TaskPassages task = digest.passages(desk.view(), trajectory, kind, desk.now());
    Summary summary =
        desk.prepared()
            .summary(trajectory, task.passages())
            .orElseGet(() -> digest.summarize(task.passages()))
            .withExtent(task.extent());
    boolean news = !desk.view().trajectory(trajectory).summary().equals(Optional.of(summary));
    if (news && !summary.sentences().isEmpty()) {
      desk.summarized(trajectory, summary);
    }
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
}
