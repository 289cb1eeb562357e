package dev.caliber.store.job;

import dev.caliber.kernel.Id;
import dev.caliber.store.StoreException;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import java.time.Duration;
import java.time.Instant;

/**
 * Claim on batched work, which keeps other processes and threads from doing it at the same time. It
 * is renewed between two commits.
 */
public interface WorkClaim {
  /** Length of a caller's lease. If one batch takes longer, the job may start beside the caller. */
  Duration LEASE_BOUND = Duration.ofSeconds(30);

  /** Claim for work that no job would start: it needs no renewal. */
  WorkClaim UNCLAIMED = () -> {};

  /** Called before a batch is computed; throws if another process has taken the work over. */
  void renew();

  /** Called in the batch's commit. */
  default void renewOrRelease(Transaction transaction, BatchOutcome batchOutcome) {}

  /** Returns the claim of a job's run; the job runner ends the job. */
  static WorkClaim ofRun(JobRun run) {
    return () -> {
      if (!run.renewLease()) {
        throw StoreException.jobTakenOver(run.job().kind(), run.job().id());
      }
    };
  }

  /** Claim of a caller: each commit moves the job's due time, and the last one deletes the job. */
  record CallerClaim(Id job) implements WorkClaim {
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
}
