package dev.caliber.agents;

import dev.caliber.store.Transaction;
import java.time.Instant;

/**
 * The proof that a write still has its turn at a resource. Checked in the commit of the write, it
 * refuses the whole commit once the lease has ended or gone to somebody else.
 *
 * <pre>{@code
 * store.write(space, transaction -> {
 *   fence.check(transaction);
 *   return memory.run(transaction, command);
 * });
 * }</pre>
 */
public record Fence(Resource resource, long token) {

  /** Does nothing, or refuses the commit. */
  public void check(Transaction transaction) {
    Instant now = transaction.now();
    boolean holds =
        Rows.all(transaction, Lease.on(resource)).stream()
            .anyMatch(lease -> lease.token() == token && lease.isLive(now));
    if (!holds) {
      throw AgentsException.stale(this);
    }
  }
}
