package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Lets other rooms forget what quotes the forgotten. A commit has a limit, and so has what goes
 * with it: one for all rooms together. What is more goes at once, in commits of its own; a job is
 * there for the case that nobody is left to do it.
 */
record Unquoting(MemoryConfig config, List<QuotingRoom> rooms) {
  static final String JOB = "memory.unquote";

  static Unquoting of(MemoryConfig config, MemoryParts parts) {
    return new Unquoting(config, parts.rooms().quoting());
  }

  /**
   * What this commit could not take.
   *
   * @param job does it where nobody else goes on
   */
  record Rest(Quoted gone, Id job) {}

  /** In the commit that forgets. */
  Optional<Rest> begin(Transaction transaction, Quoted gone) {
    if (goOn(transaction, gone)) {
      return Optional.empty();
    }
    JobRequest job = JobRequest.of(JOB, Json.text(gone), transaction.now());
    return Optional.of(new Rest(gone, Jobs.schedule(transaction, job)));
  }

  /** The same for whoever goes on at once: with the last of it, there is nothing left to do. */
  boolean goOn(Transaction transaction, Rest rest) {
    boolean all = goOn(transaction, rest.gone);
    if (all) {
      transaction.delete(Jobs.TABLE, rest.job);
    }
    return all;
  }

  /** As much as one commit may; true if that was all. */
  boolean goOn(Transaction transaction, Quoted gone) {
    Purge purge = new Purge(transaction, config.limits().page(), config.retention().batch());
    rooms.forEach(room -> room.forget(gone, purge));
    return !purge.isSpent();
  }
}
