package dev.caliber.agents;

import dev.caliber.store.Transaction;
import java.util.List;

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
    if (live(transaction).stream().noneMatch(lease -> lease.holder().equals(agent))) {
      throw AgentsException.denied(agent, "write with", "the lease of another");
    }
  }

  /** Does nothing, or refuses the commit. */
  public void check(Transaction transaction) {
    live(transaction);
  }

  /** Those who got it in one commit share a token. */
  private List<Lease> live(Transaction transaction) {
    List<Lease> live =
        Rows.all(transaction, Lease.on(resource)).stream()
            .filter(lease -> lease.token() == token && lease.isLive(transaction.now()))
            .toList();
    if (live.isEmpty()) {
      throw AgentsException.stale(this);
    }
    return live;
  }
}
