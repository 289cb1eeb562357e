package dev.caliber.memory.forget;

import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.view.ForgottenRecords;
import dev.caliber.memory.view.PurgeBudget;

/**
 * Asks other modules to remove data derived from forgotten records. All modules share one budget
 * for a commit; the rest follows in further batches.
 */
public record DerivedDataPurge(UnitOfWork unitOfWork) {
  public static final String JOB = "memory.purge-derived";

  /** Purges the first records in the commit that forgets; starts work for the rest. */
  void purgeFirstBatch(ForgottenRecords gone, int most) {
    if (purgeBatch(gone, Math.min(most, unitOfWork.config().retention().batch()))) {
      unitOfWork.startFollowUp(JOB, gone);
    }
  }

  /** Purges one batch; true if more is left. */
  public boolean purgeBatch(ForgottenRecords gone, int most) {
    PurgeBudget purgeBudget = new PurgeBudget(unitOfWork.transaction(), most);
    unitOfWork
        .parts()
        .extensions()
        .forgetListeners()
        .forEach(listener -> listener.purgeDerivedData(gone, purgeBudget));
    return purgeBudget.isSpent();
  }
}
