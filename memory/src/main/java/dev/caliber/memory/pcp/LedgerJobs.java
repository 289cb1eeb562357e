package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.store.JobRequest;
import dev.caliber.store.JobRun;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;

/** The jobs that make ledgers of checkpoints which were saved as part of something else. */
final class LedgerJobs {
  static final String KIND = "pcp.ledger";

  private LedgerJobs() {}

  static void schedule(Transaction transaction, Checkpoint made) {
    Jobs.schedule(
        transaction,
        JobRequest.of(KIND, Json.text(made.id()), transaction.now()).once(made.id().toString()));
  }

  static Id checkpoint(JobRun run) {
    return Json.read(run.job().payload(), Id.class);
  }
}
