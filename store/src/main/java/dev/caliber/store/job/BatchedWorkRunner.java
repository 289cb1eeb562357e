package dev.caliber.store.job;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.job.BatchedWork.Batch;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.BatchPlanner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Loop over the commits of batched work. A commit that took too long, or was refused as too large,
 * is followed by a smaller one, a quick one by a larger one.
 */
public record BatchedWorkRunner(
    RecordStore store, BatchSize.BatchLimits batchLimits, InstantSource clock) {
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

  private record TimedOutcome(BatchOutcome progress, Duration taken) {}

  /**
   * Commits batch after batch until no work is left.
   *
   * @param kind names the work in errors
   */
  public void run(SpaceId space, String kind, BatchPlanner batchPlanner, WorkClaim workClaim) {
    BatchSize ceiling = batchLimits.maximum();
    BatchSize first = ceiling.smallerOf(new BatchSize(FIRST_RECORDS, FIRST_BYTES));
    BatchSize size = first;
    int outdated = 0;
    while (true) {
      workClaim.renew();
      TimedOutcome done;
      try {
        Batch batch = batchPlanner.planNext(size);
        size = size.smallerOf(new BatchSize(batchPlanner.mostRecords(), size.bytes()));
        done = commitBatch(space, batch, workClaim);
      } catch (CaliberException e) {
        if (e.code().kind() != ErrorKind.LIMIT || size.isMinimum()) {
          throw e;
        }
        ceiling = size.halved();
        size = e.code() == StoreErrorCode.WRITE_TIMED_OUT ? new BatchSize(1, 1) : ceiling;
        continue;
      }
      batchPlanner.onCommitted();
      if (done.progress == BatchOutcome.DONE) {
        return;
      }
      outdated = done.progress == BatchOutcome.OUTDATED ? outdated + 1 : 0;
      if (outdated > OUTDATED_BOUND) {
        throw StoreException.transactionFailed(
            "Other writes have made %d consecutive batches of '%s' outdated"
                .formatted(outdated, kind));
      }
      size =
          done.taken.compareTo(batchLimits.time()) > 0
              ? size.halved().largerOf(size.smallerOf(first))
              : size.doubled(ceiling);
    }
  }

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
