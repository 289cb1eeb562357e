package dev.caliber.store.job;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Transaction;
import java.time.Instant;

/**
 * Work that takes several commits, so that no other write waits long for it.
 *
 * <p>One step reads and computes outside of a commit what the next batch does, then commits it. A
 * batch is bounded in records and bytes; {@link BatchedWorkRunner} adapts its size.
 *
 * <p>{@link #schedule} adds a job in the commit that begins the work. The caller continues at once
 * with {@link #resume}; meanwhile each of its commits moves the job's due time, which is the
 * caller's lease. If the caller dies, the lease ends and the job finishes the work. Both may run
 * the same batch: a batch processes what is still there.
 *
 * <pre>{@code
 * BatchedWork<Id> erasing = new BatchedWork<>("memory.erase", Id.class, this::begin, batchRunner);
 * erasing.registerHandler(jobs);
 * var ticket = store.write(space, transaction -> erasing.schedule(transaction, request));
 * erasing.resume(space, ticket);
 * }</pre>
 *
 * @param kind of the job
 * @param type of the state
 * @param <S> the state of the work, which is the job's payload
 */
public record BatchedWork<S>(
    String kind, Class<S> type, WorkDefinition<S> workDefinition, BatchedWorkRunner batchRunner) {

  /** Definition of one kind of work. */
  @FunctionalInterface
  public interface WorkDefinition<S> {
    /**
     * Begins one run of the work. The planner may remember what it found, to spare later steps a
     * search.
     */
    BatchPlanner beginRun(SpaceId space, S state);

    /** Records that a run has failed, before the failure is thrown. */
    default void recordFailure(SpaceId space, S state, RuntimeException failure) {}
  }

  /** Step that computes the next batch outside of a commit. */
  @FunctionalInterface
  public interface BatchPlanner {
    Batch planNext(BatchSize most);

    /** Returns the most records of the batch that was planned last, however large it might be. */
    default int mostRecords() {
      return Integer.MAX_VALUE;
    }

    /** Called after the batch that was planned last was committed. */
    default void onCommitted() {}
  }

  /** Body of one commit. */
  @FunctionalInterface
  public interface Batch {
    BatchOutcome commit(Transaction transaction);
  }

  /** Progress of the work after a commit. */
  public enum BatchOutcome {
    /** More work is left, or may be left. */
    MORE,
    /** The batch did nothing: other writes have changed what it was computed from. */
    OUTDATED,
    /** No work is left. */
    DONE;

    /** Returns {@code MORE} if work is left, else {@code DONE}. */
    public static BatchOutcome moreIf(boolean more) {
      return more ? MORE : DONE;
    }
  }

  /**
   * Started work: its state and the job that finishes it if the caller does not.
   *
   * @param job finishes it if the caller does not
   */
  public record ScheduledWork<S>(String kind, S state, Id job) {}

  /** Registers the job handler that finishes work whose caller has stopped. */
  public void registerHandler(Jobs jobs) {
    jobs.registerHandler(
        kind,
        run -> {
          S state = Json.read(run.job().payload(), type);
          run(run.space(), state, WorkClaim.ofRun(run));
          return JobEffect.none();
        });
  }

  /** Starts the work in a commit of a caller that continues it at once with {@link #resume}. */
  public ScheduledWork<S> schedule(Transaction transaction, S state) {
    return schedule(kind, transaction, state, transaction.now().plus(WorkClaim.LEASE_BOUND));
  }

  /** Starts work of a kind in a commit; its job may begin as soon as the commit is done. */
  public static <S> ScheduledWork<S> scheduleNow(String kind, Transaction transaction, S state) {
    return schedule(kind, transaction, state, transaction.now());
  }

  private static <S> ScheduledWork<S> schedule(
      String kind, Transaction transaction, S state, Instant due) {
    JobRequest request = JobRequest.of(kind, Json.text(state), due);
    return new ScheduledWork<>(kind, state, Jobs.schedule(transaction, request));
  }

  /** Finishes work of this kind on this thread, in several commits if needed. */
  public void resume(SpaceId space, ScheduledWork<?> scheduledWork) {
    run(space, type.cast(scheduledWork.state), new WorkClaim.CallerClaim(scheduledWork.job));
  }

  /** Finishes the work on this thread with a run that has already begun. */
  public void resume(SpaceId space, Id job, BatchPlanner batchPlanner) {
    batchRunner.run(space, kind, batchPlanner, new WorkClaim.CallerClaim(job));
  }

  private void run(SpaceId space, S state, WorkClaim workClaim) {
    try {
      batchRunner.run(space, kind, workDefinition.beginRun(space, state), workClaim);
    } catch (RuntimeException e) {
      workDefinition.recordFailure(space, state, e);
      throw e;
    }
  }
}
