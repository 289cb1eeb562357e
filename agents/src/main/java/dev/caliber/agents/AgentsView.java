package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Agents and what they share, as of one snapshot. */
public final class AgentsView {
  private final Snapshot snapshot;
  private final int most;

  AgentsView(Snapshot snapshot, AgentsConfig config) {
    this.snapshot = snapshot;
    this.most = config.tending().list();
  }

  /** The agent, or {@code NOT_REGISTERED}. */
  public Agent agent(AgentId id) {
    return find(id).orElseThrow(() -> AgentsException.notRegistered(id));
  }

  public Optional<Agent> find(AgentId id) {
    return snapshot.find(Agent.TABLE, id);
  }

  /** All agents by name; lists have at most {@code agents.tending.list} entries. */
  public List<Agent> agents() {
    return some(Query.over(Agent.TABLE));
  }

  public List<Agent> agentsOfType(String type) {
    return some(Query.over(Agent.TABLE, "type").equal(type));
  }

  public List<Agent> agents(AgentStatus status) {
    return some(Query.over(Agent.TABLE, "status").equal(status.name()));
  }

  public List<Agent> reportingTo(AgentId superior) {
    return some(Query.over(Agent.TABLE, "reports_to").equal(superior.value()));
  }

  /** When the agent was last heard of; nothing once it has failed. */
  public Optional<Instant> lastHeartbeat(AgentId agent) {
    return snapshot.find(Heartbeat.TABLE, agent).map(Heartbeat::at);
  }

  boolean hasType(String type) {
    return !Rows.upTo(snapshot, Query.over(Agent.TABLE, "type").equal(type), 1).isEmpty();
  }

  List<Heartbeat> silent(Instant since, int limit) {
    return Rows.due(snapshot, Query.over(Heartbeat.TABLE, "at"), since, limit);
  }

  public Optional<Lease> lease(Id id) {
    return snapshot.find(Lease.TABLE, id);
  }

  /** Leases on a resource, ended ones that nobody has removed yet included. */
  public List<Lease> leases(Resource resource) {
    return some(Lease.on(resource));
  }

  /** What an agent holds. */
  public List<Lease> leasesOf(AgentId holder) {
    return some(Query.over(Lease.TABLE, "holder").equal(holder.value()));
  }

  /** The queue for a resource, the first in front. */
  public List<LeaseWait> queue(Resource resource) {
    return some(LeaseWait.on(resource));
  }

  List<Lease> endedLeases(Instant now, int limit) {
    return Rows.due(snapshot, Query.over(Lease.TABLE, "expires_at"), now, limit);
  }

  List<LeaseWait> endedWaits(Instant now, int limit) {
    return Rows.due(snapshot, Query.over(LeaseWait.TABLE, "kept_until"), now, limit);
  }

  public Message message(Id id) {
    return snapshot
        .find(Message.TABLE, id)
        .orElseThrow(() -> AgentsException.unknown("message", id));
  }

  /** What waits for an agent or its type: by priority, then by age. */
  public List<Message> waiting(AgentId agent, int limit) {
    return waiting(agent(agent), limit);
  }

  List<Message> waiting(Agent agent, int limit) {
    return Stream.of(Address.inboxOf(agent.id()), Address.inboxOf(agent.type()))
        .flatMap(
            inbox ->
                limit < 1
                    ? Stream.empty()
                    : Rows.upTo(snapshot, Message.waitingIn(inbox), limit).stream())
        .sorted(MailWork.ORDER)
        .limit(limit)
        .toList();
  }

  /** Messages in a state, oldest first. */
  public List<Message> messages(MessageState state) {
    return some(Query.over(Message.TABLE, "state", "sequence").equal(state.name()));
  }

  private <T> List<T> some(Query<T> query) {
    return Rows.upTo(snapshot, query, most);
  }
}
