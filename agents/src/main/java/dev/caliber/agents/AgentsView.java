package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Agents and what they share, as of one snapshot. */
public final class AgentsView {
  private final Snapshot snapshot;
  private final AgentsConfig config;

  AgentsView(Snapshot snapshot, AgentsConfig config) {
    this.snapshot = snapshot;
    this.config = config;
  }

  public static AgentsView of(Snapshot snapshot, AgentsConfig config) {
    return new AgentsView(snapshot, config);
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
    return get(Message.TABLE, "message", id);
  }

  /** What waits for an agent or its type and has not expired: by priority, then by age. */
  public List<Message> waiting(AgentId id, Instant now, int limit) {
    Agent agent = agent(id);
    return waiting(
        agent,
        message -> !message.isExpired(now) && message.to().includes(agent),
        Math.min(limit, config.tending().list()));
  }

  /** Expired or not. */
  List<Message> waiting(Agent agent, int limit) {
    return waiting(agent, message -> message.to().includes(agent), limit);
  }

  private List<Message> waiting(Agent agent, Predicate<Message> wanted, int limit) {
    return Stream.of(Address.inboxOf(agent.id()), Address.inboxOf(agent.type()))
        .flatMap(
            inbox ->
                limit < 1
                    ? Stream.empty()
                    : Rows.upTo(snapshot, Message.waitingIn(inbox).where(wanted), limit).stream())
        .sorted(MailWork.ORDER)
        .limit(limit)
        .toList();
  }

  /** Messages in a state, oldest first. */
  public List<Message> messages(MessageState state) {
    return some(Query.over(Message.TABLE, "state", "sequence").equal(state.name()));
  }

  /** All leases, ended ones that nobody has removed yet included. */
  public List<Lease> leases() {
    return some(Query.over(Lease.TABLE));
  }

  List<LeaseWait> waits() {
    return some(Query.over(LeaseWait.TABLE));
  }

  /** Who is at a task. */
  public List<Agent> at(Id trajectory) {
    return some(Query.over(Agent.TABLE, "trajectory").equal(trajectory));
  }

  public Delegation delegation(Id id) {
    return get(Delegation.TABLE, "delegation", id);
  }

  public List<Delegation> delegations(DelegationStatus status) {
    return some(Query.over(Delegation.TABLE, "status").equal(status.name()));
  }

  /** Work that an agent could accept: for it, then for its type, oldest first. */
  public List<Delegation> pendingDelegations(AgentId agent) {
    return pending(Query.over(Delegation.TABLE, "pending_inbox"), agent);
  }

  public List<Delegation> delegationsOf(AgentId delegatee) {
    return some(Query.over(Delegation.TABLE, "delegatee").equal(delegatee.value()));
  }

  public List<Delegation> delegationsBy(AgentId delegator) {
    return some(Query.over(Delegation.TABLE, "delegator").equal(delegator.value()));
  }

  public Handoff handoff(Id id) {
    return get(Handoff.TABLE, "handoff", id);
  }

  public List<Handoff> handoffs(HandoffStatus status) {
    return some(Query.over(Handoff.TABLE, "status").equal(status.name()));
  }

  /** The handoffs of a task, oldest first. */
  public List<Handoff> handoffs(Id trajectory) {
    return some(Query.over(Handoff.TABLE, "trajectory").equal(trajectory));
  }

  /** Tasks that an agent could accept: for it, then for its type, oldest first. */
  public List<Handoff> pendingHandoffs(AgentId agent) {
    return pending(Query.over(Handoff.TABLE, "pending_inbox"), agent);
  }

  public Conflict conflict(Id id) {
    return get(Conflict.TABLE, "conflict", id);
  }

  /** Conflicts that were detected, are being resolved or were escalated. */
  public List<Conflict> unresolved() {
    return Stream.of(ConflictStatus.DETECTED, ConflictStatus.RESOLVING, ConflictStatus.ESCALATED)
        .flatMap(status -> some(Query.over(Conflict.TABLE, "status").equal(status.name())).stream())
        .toList();
  }

  /** Those of one task. */
  public List<Conflict> unresolved(Id trajectory) {
    return some(Query.over(Conflict.TABLE, "open_in").equal(trajectory));
  }

  /** Who holds what, who waits for whom, and what is stuck. */
  public Standing standing(Instant now) {
    return new StandingQuery(this, snapshot, now, now.minus(config.tending().stuckAfter())).ask();
  }

  private <T> List<T> pending(Query<T> query, AgentId id) {
    Agent agent = agent(id);
    return Stream.of(Address.inboxOf(agent.id()), Address.inboxOf(agent.type()))
        .flatMap(inbox -> some(query.equal(inbox)).stream())
        .toList();
  }

  private <T> T get(Table<T> table, String kind, Id id) {
    return snapshot.find(table, id).orElseThrow(() -> AgentsException.unknown(kind, id));
  }

  private <T> List<T> some(Query<T> query) {
    return Rows.upTo(snapshot, query, config.tending().list());
  }
}
