package dev.caliber.agents.lease;

import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Proof that a writer still holds a lease on a resource. Checked in the commit of the write, it
 * refuses the whole commit once the lease has ended or passed to another agent.
 *
 * <pre>{@code
 * store.write(space, transaction -> {
 *   fence.check(transaction);
 *   return memory.run(transaction, command);
 * });
 * }</pre>
 */
public record Fence(Resource resource, long token) {

  /** Checks for one agent: it must not be failed, and the lease must be its own. */
  public void check(Transaction transaction, AgentId agent) {
    check(transaction, transaction.now(), agent);
  }

  /** Refuses the commit if the lease has ended. */
  public void check(Transaction transaction) {
    check(transaction, transaction.now());
  }

  /** Checks for one agent before a commit, whether it would be refused already. */
  public void check(Snapshot snapshot, Instant now, AgentId agent) {
    AgentStatus status =
        snapshot
            .find(Agent.TABLE, agent)
            .map(Agent::status)
            .orElseThrow(() -> AgentsException.notRegistered(agent));
    if (status == AgentStatus.FAILED) {
      throw AgentsException.agentFailed(agent);
    }
    check(snapshot, now);
    if (snapshot.first(liveLeases(now, lease -> lease.holder().equals(agent))).isEmpty()) {
      throw AgentsException.accessDenied(agent, "write with", "another agent's lease");
    }
  }

  /** Checks before a commit, whether it would be refused already. */
  public void check(Snapshot snapshot, Instant now) {
    if (snapshot.first(liveLeases(now, _ -> true)).isEmpty()) {
      throw AgentsException.staleFence(resource.toString(), token);
    }
  }

  /** Returns the live leases of this token; leases granted in one commit share a token. */
  private Query<Lease> liveLeases(Instant now, Predicate<Lease> wanted) {
    return Query.over(Lease.TABLE, "resource", "token")
        .equal(resource.toString(), token)
        .where(lease -> lease.isLive(now) && wanted.test(lease));
  }
}
