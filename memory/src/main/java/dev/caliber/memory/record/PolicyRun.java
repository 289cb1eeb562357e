package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Run of all policies of one trigger: their steps in order, and the current position. Its id
 * derives from the trigger, so that each trigger has one run. A step and the move past it are one
 * commit, so that each step runs once, whatever crashes in between.
 *
 * @param trigger name of the trigger, such as {@code scope_close}
 * @param scope the scope that it is limited to, if any
 * @param next index of the next step
 * @param place cursor within a step that takes several commits
 * @param error code of the last failure
 * @param job the job that continues it after a crash
 */
public record PolicyRun(
    Id id,
    String trigger,
    Optional<Id> trajectory,
    Optional<Id> scope,
    List<PolicyStep> steps,
    int next,
    Optional<PageCursor> place,
    PolicyRunState state,
    Optional<String> error,
    Optional<Id> job,
    Instant createdAt,
    Instant updatedAt) {

  public static final Table<PolicyRun> TABLE =
      Table.of("policy_run", "Runs of policies, step by step.", PolicyRun.class, PolicyRun::id)
          .text("trigger", PolicyRun::trigger)
          .text("trajectory", run -> NullableColumns.textOrNull(run.trajectory))
          .text("state", run -> run.state.name())
          .instant("pending_since", run -> run.state == PolicyRunState.DONE ? null : run.updatedAt)
          .text("error", run -> NullableColumns.textOrNull(run.error))
          .instant("done_at", run -> run.state == PolicyRunState.DONE ? run.updatedAt : null)
          .index("trajectory")
          .index("pending_since")
          .index("done_at")
          .withoutFeed();

  public PolicyRun {
    steps = List.copyOf(steps);
  }

  /** Returns this run with the job that continues it after a crash of the caller. */
  public PolicyRun withJob(Id newJob) {
    return with(next, place, state, error, Optional.of(newJob), updatedAt);
  }

  public PolicyStep currentStep() {
    return steps.get(next);
  }

  /** Returns this run past the current step; done after the last. */
  public PolicyRun atNextStep(Instant now) {
    PolicyRunState.PolicyRunTransition policyRunTransition =
        next + 1 == steps.size()
            ? PolicyRunState.PolicyRunTransition.FINISH
            : PolicyRunState.PolicyRunTransition.STEP;
    return moveTo(next + 1, policyRunTransition, Optional.empty(), now);
  }

  public PolicyRun withFailure(String code, Instant now) {
    return moveTo(next, PolicyRunState.PolicyRunTransition.FAIL, Optional.of(code), now);
  }

  /** Returns this run at the same step with a new cursor. */
  public PolicyRun withCursor(PageCursor further, Instant now) {
    return with(next, Optional.of(further), state, error, job, now);
  }

  public boolean isDone() {
    return state == PolicyRunState.DONE;
  }

  /** Returns whether an earlier step has already done this action; notices may repeat. */
  public boolean hasAlreadyDone(PolicyAction action) {
    return !(action instanceof PolicyAction.NotifyAction) && hasEarlierStep(action);
  }

  private boolean hasEarlierStep(PolicyAction action) {
    return steps.subList(0, next).stream().anyMatch(step -> step.action().equals(action));
  }

  private PolicyRun moveTo(
      int step,
      PolicyRunState.PolicyRunTransition policyRunTransition,
      Optional<String> code,
      Instant now) {
    return with(
        step,
        step == next ? place : Optional.empty(),
        PolicyRunState.LIFE.next("Policy run", state, policyRunTransition),
        code,
        job,
        now);
  }

  private PolicyRun with(
      int step,
      Optional<PageCursor> cursor,
      PolicyRunState newState,
      Optional<String> code,
      Optional<Id> newJob,
      Instant now) {
    return new PolicyRun(
        id,
        trigger,
        trajectory,
        scope,
        steps,
        step,
        cursor,
        newState,
        code,
        newJob,
        createdAt,
        now);
  }
}
