package dev.caliber.memory;

import dev.caliber.store.BatchSize;
import dev.caliber.store.BatchedWork;
import dev.caliber.store.BatchedWork.BatchOutcome;
import dev.caliber.store.BatchedWork.ScheduledWork;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Asks other modules to remove data derived from forgotten records. All modules share one budget
 * for a commit; the rest follows in further batches.
 */
record DerivedDataPurge(MemoryConfig config, List<ForgetListener> rooms) {
  static final String JOB = "memory.purge-derived";

  static DerivedDataPurge of(MemoryConfig config, MemoryDependencies parts) {
    return new DerivedDataPurge(config, parts.extensions().forgetListeners());
  }

  /** Purges the first records in the commit that forgets; returns work for the rest. */
  Optional<ScheduledWork<ForgottenRecords>> purgeFirstBatch(
      Transaction transaction, ForgottenRecords gone, int most) {
    return purgeBatch(transaction, gone, Math.min(most, config.retention().batch()))
        ? Optional.empty()
        : Optional.of(BatchedWork.scheduleNow(JOB, transaction, gone));
  }

  BatchedWork.Batch nextBatch(ForgottenRecords gone, BatchSize most) {
    return transaction ->
        purgeBatch(transaction, gone, most.records()) ? BatchOutcome.DONE : BatchOutcome.MORE;
  }

  /** Purges one batch; true if nothing is left. */
  private boolean purgeBatch(Transaction transaction, ForgottenRecords gone, int most) {
    PurgeBudget purgeBudget = new PurgeBudget(transaction, config.limits().pageSize(), most);
    rooms.forEach(room -> room.purgeDerivedData(gone, purgeBudget));
    return !purgeBudget.isSpent();
  }
}
