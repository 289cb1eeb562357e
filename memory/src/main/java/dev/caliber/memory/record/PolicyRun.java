package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one trigger sets off: the steps of all policies, in their order, with the place where it
 * stands. Its id is made of the trigger, so that a trigger has one run; each step and the move past
 * it are one commit, so that a step is done once, whatever stops in between.
 *
 * @param trigger what set it off, such as {@code scope_close}
 * @param scope the scope that it is limited to, if any
 * @param next the place of the step that comes next
 * @param place how far a step that takes more than one commit has come
 * @param error the code of the last failure
 * @param job the job that goes on with it after a crash
 */
public record PolicyRun(
    Id id,
    String trigger,
    Optional<Id> trajectory,
    Optional<Id> scope,
    List<PolicyStep> steps,
    int next,
    Optional<PageCursor> place,
    RunState state,
    Optional<String> error,
    Optional<Id> job,
    Instant createdAt,
    Instant updatedAt) {

  public static final Table<PolicyRun> TABLE =
      Table.of("policy_run", "What triggers set off, step by step.", PolicyRun.class, PolicyRun::id)
          .text("trigger", PolicyRun::trigger)
          .text("trajectory", run -> Columns.text(run.trajectory))
          .text("state", run -> run.state.name())
          .instant("pending_since", run -> run.state == RunState.DONE ? null : run.updatedAt)
          .text("error", run -> Columns.text(run.error))
          .instant("done_at", run -> run.state == RunState.DONE ? run.updatedAt : null)
          .index("trajectory")
          .index("pending_since")
          .index("done_at")
          .quiet();

  public PolicyRun {
    steps = List.copyOf(steps);
  }

  /** With the job that sees to it if nobody else does. */
  public PolicyRun seenToBy(Id newJob) {
    return new PolicyRun(
        id,
        trigger,
        trajectory,
        scope,
        steps,
        next,
        place,
        state,
        error,
        Optional.of(newJob),
        createdAt,
        updatedAt);
  }

  public PolicyStep step() {
    return steps.get(next);
  }

  /** Past the present step; done after the last. */
  public PolicyRun advanced(Instant now) {
    RunState.Event event = next + 1 == steps.size() ? RunState.Event.FINISH : RunState.Event.STEP;
    return at(next + 1, event, Optional.empty(), now);
  }

  public PolicyRun failed(String code, Instant now) {
    return at(next, RunState.Event.FAIL, Optional.of(code), now);
  }

  /** At the same step, further on. */
  public PolicyRun reached(PageCursor further, Instant now) {
    return new PolicyRun(
        id,
        trigger,
        trajectory,
        scope,
        steps,
        next,
        Optional.of(further),
        state,
        error,
        job,
        createdAt,
        now);
  }

  public boolean isDone() {
    return state == RunState.DONE;
  }

  /** Whether an earlier step has done the same, and once is enough; a word may be said twice. */
  public boolean hasDone(PolicyAction action) {
    return !(action instanceof PolicyAction.Notify) && wasAsked(action);
  }

  private boolean wasAsked(PolicyAction action) {
    return steps.subList(0, next).stream().anyMatch(step -> step.action().equals(action));
  }

  private PolicyRun at(int step, RunState.Event event, Optional<String> code, Instant now) {
    return new PolicyRun(
        id,
        trigger,
        trajectory,
        scope,
        steps,
        step,
        step == next ? place : Optional.empty(),
        RunState.LIFE.next("Policy run", state, event),
        code,
        job,
        createdAt,
        now);
  }
}
