package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.JobRun;
import dev.caliber.store.job.Jobs;

/** Jobs that write the ledgers of checkpoints saved as part of another command. */
final class CheckpointLedgerJobs {
  static final String KIND = "pcp.checkpoint-ledger";

  private CheckpointLedgerJobs() {}

  static void schedule(Transaction transaction, Checkpoint made) {
    Jobs.schedule(
        transaction,
        JobRequest.of(KIND, Json.text(made.id()), transaction.now())
            .withDeduplicationKey(made.id().toString()));
  }

  static Id checkpointId(JobRun run) {
    return Json.read(run.job().payload(), Id.class);
  }
}
