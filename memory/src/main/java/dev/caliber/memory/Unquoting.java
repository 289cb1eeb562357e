package dev.caliber.memory;

import dev.caliber.store.BatchSize;
import dev.caliber.store.BatchedWork;
import dev.caliber.store.BatchedWork.Progress;
import dev.caliber.store.BatchedWork.Ticket;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Lets other modules forget what quotes the forgotten. A commit has a limit, and so has what goes
 * with it: one for all of them together. What is more goes in batches of its own.
 */
record Unquoting(MemoryConfig config, List<QuotingRoom> rooms) {
  static final String JOB = "memory.unquote";

  static Unquoting of(MemoryConfig config, MemoryParts parts) {
    return new Unquoting(config, parts.rooms().quoting());
  }

  /** In the commit that forgets, with at most so many records; the ticket is for the rest. */
  Optional<Ticket<Quoted>> begin(Transaction transaction, Quoted gone, int most) {
    return goOn(transaction, gone, Math.min(most, config.retention().batch()))
        ? Optional.empty()
        : Optional.of(BatchedWork.scheduleNow(JOB, transaction, gone));
  }

  /** The next batch. */
  BatchedWork.Batch next(Quoted gone, BatchSize most) {
    return transaction -> goOn(transaction, gone, most.records()) ? Progress.DONE : Progress.MORE;
  }

  /** As much as one commit may; true if that was all. */
  private boolean goOn(Transaction transaction, Quoted gone, int most) {
    Purge purge = new Purge(transaction, config.limits().page(), most);
    rooms.forEach(room -> room.forget(gone, purge));
    return !purge.isSpent();
  }
}
