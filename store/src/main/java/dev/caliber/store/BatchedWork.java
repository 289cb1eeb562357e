package dev.caliber.store;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Work that takes several commits, so that no other write waits long for it.
 *
 * <p>One step reads and computes outside of a commit what the next batch does, then commits it. A
 * batch is bounded in records and bytes. A commit that took too long, or was refused as too large,
 * is followed by a smaller one, a quick one by a larger one.
 *
 * <p>{@link #schedule} adds a job in the commit that begins the work. The caller continues at once
 * with {@link #resume}; meanwhile each of its commits moves the job's due time, which is the
 * caller's lease. If the caller dies, the lease ends and the job finishes the work. Both may run
 * the same batch: a batch processes what is still there.
 *
 * <pre>{@code
 * BatchedWork<Id> erasing = new BatchedWork<>("memory.erase", Id.class, this::begin, dependencies);
 * erasing.registerHandler(jobs);
 * var ticket = store.write(space, transaction -> erasing.schedule(transaction, request));
 * erasing.resume(space, ticket);
 * }</pre>
 *
 * @param <S> the state of the work, which is the job's payload
 */
public final class BatchedWork<S> {
  /** Length of a caller's lease. If one batch takes longer, the job may start beside the caller. */
  private static final Duration LEASE_BOUND = Duration.ofSeconds(30);

  /**
   * Size of the first batch, small because the cost of a record is not known yet. Slow commits do
   * not reduce a batch below this size: the fixed cost of a commit would be paid for every few
   * records.
   */
  private static final int FIRST_RECORDS = 32;

  private static final long FIRST_BYTES = 1L << 18;

  /**
   * Largest number of consecutive batches whose results are discarded because other writes changed
   * what they were computed from.
   */
  private static final int OUTDATED_BOUND = 16;

  private final String kind;
  private final Class<S> type;
  private final WorkDefinition<S> workDefinition;
  private final RecordStore store;
  private final BatchSize.BatchLimits batchLimits;
  private final Clock clock;

  /** Store, limits and clock that the work runs with. */
  public record BatchedWorkDependencies(
      RecordStore store, BatchSize.BatchLimits rules, Clock clock) {}

  /** Definition of one kind of work. */
  @FunctionalInterface
  public interface WorkDefinition<S> {
    /**
     * Begins one run of the work. The planner may remember what it found, to spare later steps a
     * search.
     */
    BatchPlanner beginRun(SpaceId space, S state);
  }

  /** Step that computes the next batch outside of a commit. */
  @FunctionalInterface
  public interface BatchPlanner {
    Batch planNext(BatchSize most);
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
    DONE
  }

  /**
   * Started work: its state and the job that finishes it if the caller does not.
   *
   * @param job finishes it if the caller does not
   */
  public record ScheduledWork<S>(S state, Id job) {}

  public BatchedWork(
      String kind,
      Class<S> type,
      WorkDefinition<S> workDefinition,
      BatchedWorkDependencies batchedWorkDependencies) {
    this.kind = kind;
    this.type = type;
    this.workDefinition = workDefinition;
    this.store = batchedWorkDependencies.store();
    this.batchLimits = batchedWorkDependencies.rules();
    this.clock = batchedWorkDependencies.clock();
  }

  /** Registers the job handler that finishes work whose caller has stopped. */
  public void registerHandler(Jobs jobs) {
    jobs.registerHandler(
        kind,
        run -> {
          S state = Json.read(run.job().payload(), type);
          runBatches(
              run.space(), workDefinition.beginRun(run.space(), state), new JobRunClaim(run));
          return JobEffect.none();
        });
  }

  /** Starts the work in a commit of a caller that continues it at once with {@link #resume}. */
  public ScheduledWork<S> schedule(Transaction transaction, S state) {
    return schedule(kind, transaction, state, transaction.now().plus(LEASE_BOUND));
  }

  /** Starts work of a kind in a commit; its job may begin as soon as the commit is done. */
  public static <S> ScheduledWork<S> scheduleNow(String kind, Transaction transaction, S state) {
    return schedule(kind, transaction, state, transaction.now());
  }

  private static <S> ScheduledWork<S> schedule(
      String kind, Transaction transaction, S state, Instant due) {
    JobRequest request = JobRequest.of(kind, Json.text(state), due);
    return new ScheduledWork<>(state, Jobs.schedule(transaction, request));
  }

  /** Finishes the work on this thread, in several commits if needed. */
  public void resume(SpaceId space, ScheduledWork<S> scheduledWork) {
    resume(space, scheduledWork.job, workDefinition.beginRun(space, scheduledWork.state));
  }

  /** Finishes the work on this thread with a run that has already begun. */
  public void resume(SpaceId space, Id job, BatchPlanner batchPlanner) {
    runBatches(space, batchPlanner, new CallerClaim(job));
  }

  /** Claim that keeps the other process or thread from running the work at the same time. */
  private interface WorkClaim {
    /** Called before a batch is computed. */
    void renew();

    /** Called in the batch's commit. */
    void renewOrRelease(Transaction transaction, BatchOutcome batchOutcome);
  }

  private final class JobRunClaim implements WorkClaim {
    private final JobRun run;

    JobRunClaim(JobRun run) {
      this.run = run;
    }

    @Override
    public void renew() {
      if (!run.renewLease()) {
        throw StoreException.jobTakenOver(kind, run.job().id());
      }
    }

    @Override
    public void renewOrRelease(Transaction transaction, BatchOutcome batchOutcome) {
      // The job runner ends the job.
    }
  }

  /** Claim of a caller: each commit moves the job's due time, and the last one deletes the job. */
  private static final class CallerClaim implements WorkClaim {
    private final Id job;

    CallerClaim(Id job) {
      this.job = job;
    }

    @Override
    public void renew() {
      // Each commit renews the claim.
    }

    @Override
    public void renewOrRelease(Transaction transaction, BatchOutcome batchOutcome) {
      if (batchOutcome == BatchOutcome.DONE) {
        transaction.delete(Jobs.TABLE, job);
        return;
      }
      Instant soon = transaction.now().plus(LEASE_BOUND.dividedBy(2));
      transaction
          .find(Jobs.TABLE, job)
          .filter(found -> found.state() == JobState.READY && found.due().isBefore(soon))
          .map(found -> found.withLeaseEnd(transaction.now().plus(LEASE_BOUND)))
          .ifPresent(leased -> transaction.put(Jobs.TABLE, leased));
    }
  }

  private void runBatches(SpaceId space, BatchPlanner batchPlanner, WorkClaim workClaim) {
    BatchSize first = new BatchSize(FIRST_RECORDS, FIRST_BYTES);
    BatchSize size = smallerOf(first, batchLimits.maximum());
    BatchSize ceiling = batchLimits.maximum();
    int outdated = 0;
    while (true) {
      workClaim.renew();
      try {
        TimedOutcome done = commitBatch(space, batchPlanner.planNext(size), workClaim);
        if (done.progress == BatchOutcome.DONE) {
          return;
        }
        outdated = done.progress == BatchOutcome.OUTDATED ? outdated + 1 : 0;
        if (outdated > OUTDATED_BOUND) {
          throw StoreException.transactionFailed(
              "%d batches in a row of the work '%s' had no effect, because other writes changed the records meanwhile"
                  .formatted(outdated, kind));
        }
        size =
            done.taken.compareTo(batchLimits.time()) > 0
                ? reducedSize(size, first)
                : size.doubled(ceiling);
      } catch (CaliberException e) {
        if (e.code().kind() != ErrorKind.LIMIT || size.isMinimum()) {
          throw e;
        }
        ceiling = size.halved();
        size = e.code() == StoreErrorCode.WRITE_TIMED_OUT ? new BatchSize(1, 1) : ceiling;
      }
    }
  }

  private static BatchSize reducedSize(BatchSize size, BatchSize first) {
    BatchSize half = size.halved();
    return new BatchSize(
        Math.max(half.records(), Math.min(size.records(), first.records())),
        Math.max(half.bytes(), Math.min(size.bytes(), first.bytes())));
  }

  private static BatchSize smallerOf(BatchSize one, BatchSize other) {
    return new BatchSize(
        Math.min(one.records(), other.records()), Math.min(one.bytes(), other.bytes()));
  }

  private record TimedOutcome(BatchOutcome progress, Duration taken) {}

  /**
   * Commits one batch. The measured time excludes the wait for the write turn and the flush: a
   * smaller batch would not make them shorter.
   */
  private TimedOutcome commitBatch(SpaceId space, Batch batch, WorkClaim workClaim) {
    return store.write(
        space,
        transaction -> {
          Instant begun = clock.instant();
          BatchOutcome batchOutcome = batch.commit(transaction);
          workClaim.renewOrRelease(transaction, batchOutcome);
          return new TimedOutcome(batchOutcome, Duration.between(begun, clock.instant()));
        });
  }
}
