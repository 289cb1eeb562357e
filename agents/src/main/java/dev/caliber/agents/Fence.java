package dev.caliber.agents;

import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.function.Predicate;

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

  /** The same for one agent: it has to be able to act, and the lease has to be its own. */
  public void check(Transaction transaction, AgentId agent) {
    check(transaction, transaction.now(), agent);
  }

  /** Does nothing, or refuses the commit. */
  public void check(Transaction transaction) {
    check(transaction, transaction.now());
  }

  /** Before a commit, for one agent: whether it would be refused already. */
  public void check(Snapshot snapshot, Instant now, AgentId agent) {
    AgentStatus status =
        snapshot
            .find(Agent.TABLE, agent)
            .map(Agent::status)
            .orElseThrow(() -> AgentsException.notRegistered(agent));
    if (status == AgentStatus.FAILED) {
      throw AgentsException.failed(agent);
    }
    check(snapshot, now);
    if (snapshot.first(live(now, lease -> lease.holder().equals(agent))).isEmpty()) {
      throw AgentsException.denied(agent, "write with", "the lease of another");
    }
  }

  /** Before a commit: whether it would be refused already. */
  public void check(Snapshot snapshot, Instant now) {
    if (snapshot.first(live(now, _ -> true)).isEmpty()) {
      throw AgentsException.stale(this);
    }
  }

  /** Those who got it in one commit share a token. */
  private Query<Lease> live(Instant now, Predicate<Lease> wanted) {
    return Query.over(Lease.TABLE, "resource", "token")
        .equal(resource.toString(), token)
        .where(lease -> lease.isLive(now) && wanted.test(lease));
  }
}
