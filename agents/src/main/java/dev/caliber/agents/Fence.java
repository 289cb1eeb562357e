package dev.caliber.agents;

import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
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
    AgentStatus status =
        transaction
            .find(Agent.TABLE, agent)
            .map(Agent::status)
            .orElseThrow(() -> AgentsException.notRegistered(agent));
    if (status == AgentStatus.FAILED) {
      throw AgentsException.failed(agent);
    }
    check(transaction);
    if (transaction.first(live(transaction, lease -> lease.holder().equals(agent))).isEmpty()) {
      throw AgentsException.denied(agent, "write with", "the lease of another");
    }
  }

  /** Does nothing, or refuses the commit. */
  public void check(Transaction transaction) {
    if (transaction.first(live(transaction, _ -> true)).isEmpty()) {
      throw AgentsException.stale(this);
    }
  }

  /** Those who got it in one commit share a token. */
  private Query<Lease> live(Transaction transaction, Predicate<Lease> wanted) {
    return Query.over(Lease.TABLE, "resource", "token")
        .equal(resource.toString(), token)
        .where(lease -> lease.isLive(transaction.now()) && wanted.test(lease));
  }
}
