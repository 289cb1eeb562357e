package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Agents and what they share, as of one snapshot. */
public final class AgentsView {
  private final Snapshot snapshot;
  private final AgentsConfig config;
  private final Rows rows;

  private AgentsView(Snapshot snapshot, AgentsConfig config) {
    this.snapshot = snapshot;
    this.config = config;
    this.rows = new Rows(snapshot, config.tending().page());
  }

  public static AgentsView of(Snapshot snapshot, AgentsConfig config) {
    return new AgentsView(snapshot, config);
  }

  Rows rows() {
    return rows;
  }

  /** The agent, or {@code NOT_REGISTERED}. */
  public Agent agent(AgentId id) {
    return find(id).orElseThrow(() -> AgentsException.notRegistered(id));
  }

  public Optional<Agent> find(AgentId id) {
    return snapshot.find(Agent.TABLE, id);
  }

  /**
   * All agents by name. This and every other list is refused where it would have more than {@code
   * agents.tending.list} entries.
   */
  public List<Agent> agents() {
    return all(Query.over(Agent.TABLE));
  }

  public List<Agent> agentsOfType(String type) {
    return all(Query.over(Agent.TABLE, "type").equal(type));
  }

  public List<Agent> agents(AgentStatus status) {
    return all(Query.over(Agent.TABLE, "status").equal(status.name()));
  }

  public List<Agent> reportingTo(AgentId superior) {
    return all(Query.over(Agent.TABLE, "reports_to").equal(superior.value()));
  }

  /** When the agent was last heard of. */
  public Optional<Instant> lastHeartbeat(AgentId agent) {
    return snapshot.find(Heartbeat.TABLE, agent).map(Heartbeat::at);
  }

  boolean hasType(String type) {
    return snapshot.first(Query.over(Agent.TABLE, "type").equal(type)).isPresent();
  }

  List<Heartbeat> silent(Instant since, int limit) {
    return rows.due(Query.over(Heartbeat.TABLE, "watched_at"), since, limit);
  }

  public Optional<Lease> lease(Id id) {
    return snapshot.find(Lease.TABLE, id);
  }

  /** Leases on a resource, ended ones that nobody has removed yet included. */
  public List<Lease> leases(Resource resource) {
    return all(Lease.on(resource));
  }

  /** What an agent holds. */
  public List<Lease> leasesOf(AgentId holder) {
    return all(Query.over(Lease.TABLE, "holder").equal(holder.value()));
  }

  /** The queue for a resource, the first in front. */
  public List<LeaseWait> queue(Resource resource) {
    return all(LeaseWait.on(resource));
  }

  List<Lease> endedLeases(Instant now, int limit) {
    return rows.due(Query.over(Lease.TABLE, "expires_at"), now, limit);
  }

  List<LeaseWait> endedWaits(Instant now, int limit) {
    return rows.due(Query.over(LeaseWait.TABLE, "kept_until"), now, limit);
  }

  public Message message(Id id) {
    return get(Message.TABLE, "message", id);
  }

  /** What waits for an agent or its type and has not expired: by priority, then by age. */
  public List<Message> waiting(AgentId id, Instant now, int limit) {
    return waiting(agent(id), now, Math.min(limit, config.tending().list()));
  }

  List<Message> waiting(Agent agent, Instant now, int limit) {
    return inboxes(agent)
        .flatMap(
            inbox ->
                rows
                    .upTo(
                        Message.waitingIn(inbox)
                            .where(
                                message -> !message.isExpired(now) && message.to().includes(agent)),
                        limit)
                    .stream())
        .sorted(MailWork.ORDER)
        .limit(limit)
        .toList();
  }

  /** What waits for whoever of a type takes it first: by priority, then by age. */
  public List<Message> waiting(String type, Instant now, int limit) {
    return waiting(Address.type(type), now, Optional.empty(), limit).records();
  }

  /** What waits for an agent and its type, or for a type alone, part by part. */
  public Part<Message> waiting(Address by, Instant now, Optional<String> after, int limit) {
    return inboxes(by, limit).mail(by.agent().map(this::agent), now, after);
  }

  private Inboxes inboxes(Address by, int limit) {
    List<String> lines =
        by.agent().map(id -> inboxes(agent(id)).toList()).orElseGet(() -> List.of(by.inbox()));
    return new Inboxes(rows, lines, Math.min(limit, config.tending().list()));
  }

  /** The lines in which something may wait for an agent: its own, then that of its type. */
  private static Stream<String> inboxes(Agent agent) {
    return Stream.of(Address.inboxOf(agent.id()), Address.inboxOf(agent.type()));
  }

  /** Messages in a state, oldest first. */
  public List<Message> messages(MessageState state) {
    return all(Query.over(Message.TABLE, "state", "sequence").equal(state.name()));
  }

  /** All leases, ended ones that nobody has removed yet included. */
  public List<Lease> leases() {
    return all(Query.over(Lease.TABLE));
  }

  /** Who is at a task. */
  public List<Agent> at(Id trajectory) {
    return all(Query.over(Agent.TABLE, "trajectory").equal(trajectory));
  }

  public Delegation delegation(Id id) {
    return get(Delegation.TABLE, "delegation", id);
  }

  public List<Delegation> delegations(DelegationStatus status) {
    return all(Query.over(Delegation.TABLE, "status").equal(status.name()));
  }

  /** The first of the work that an agent could accept: for it, then for its type, oldest first. */
  public List<Delegation> pendingDelegations(AgentId agent, int limit) {
    return pendingDelegations(Address.agent(agent), Optional.empty(), limit).records();
  }

  /** The first of the work that whoever of a type could accept, oldest first. */
  public List<Delegation> pendingDelegations(String type, int limit) {
    return pendingDelegations(Address.type(type), Optional.empty(), limit).records();
  }

  /** The same, part by part. */
  public Part<Delegation> pendingDelegations(Address by, Optional<String> after, int limit) {
    return inboxes(by, limit).work(Delegation.WAITING, after);
  }

  public List<Delegation> delegationsOf(AgentId delegatee) {
    return all(Query.over(Delegation.TABLE, "delegatee").equal(delegatee.value()));
  }

  public List<Delegation> delegationsBy(AgentId delegator) {
    return all(Query.over(Delegation.TABLE, "delegator").equal(delegator.value()));
  }

  public Handoff handoff(Id id) {
    return get(Handoff.TABLE, "handoff", id);
  }

  public List<Handoff> handoffs(HandoffStatus status) {
    return all(Query.over(Handoff.TABLE, "status").equal(status.name()));
  }

  /** The handoffs of a task, oldest first. */
  public List<Handoff> handoffs(Id trajectory) {
    return all(Query.over(Handoff.TABLE, "trajectory").equal(trajectory));
  }

  /** The first of the tasks that an agent could accept: for it, then for its type, oldest first. */
  public List<Handoff> pendingHandoffs(AgentId agent, int limit) {
    return pendingHandoffs(Address.agent(agent), Optional.empty(), limit).records();
  }

  /** The first of the tasks that whoever of a type could accept, oldest first. */
  public List<Handoff> pendingHandoffs(String type, int limit) {
    return pendingHandoffs(Address.type(type), Optional.empty(), limit).records();
  }

  /** The same, part by part. */
  public Part<Handoff> pendingHandoffs(Address by, Optional<String> after, int limit) {
    return inboxes(by, limit).work(Handoff.WAITING, after);
  }

  /** The handoff of a task that is not over yet. */
  Optional<Handoff> openHandoff(Id trajectory) {
    return snapshot.first(Query.over(Handoff.TABLE, "open_trajectory").equal(trajectory));
  }

  /** The handoff in whose place this one is. */
  Optional<Handoff> superseded(Handoff by) {
    return snapshot.first(Query.over(Handoff.TABLE, "superseded_by").equal(by.id()));
  }

  public Conflict conflict(Id id) {
    return get(Conflict.TABLE, "conflict", id);
  }

  /** Conflicts that were detected, are being resolved or were escalated. */
  public List<Conflict> unresolved() {
    return ConflictStatus.OPEN.stream()
        .flatMap(status -> all(Query.over(Conflict.TABLE, "status").equal(status.name())).stream())
        .toList();
  }

  /** Those of one task. */
  public List<Conflict> unresolved(Id trajectory) {
    return all(openIn(trajectory));
  }

  /** These, and what else is open in the task, as far as a list goes. */
  DetectConflicts.Found open(Id trajectory, List<Conflict> found, int uncompared) {
    int most = config.tending().list();
    Set<Conflict> open = new LinkedHashSet<>(found);
    open.addAll(rows.upTo(openIn(trajectory), most + 1));
    return new DetectConflicts.Found(
        open.stream().limit(most).toList(), open.size() > most || uncompared > 0, uncompared);
  }

  private static Query<Conflict> openIn(Id trajectory) {
    return Query.over(Conflict.TABLE, "open_in").equal(trajectory);
  }

  /**
   * Who holds what, who waits for whom, and what is stuck. Of each kind it tells the first {@code
   * agents.tending.list}, and says where there are more; of those before somebody who waits the
   * first {@code agents.leases.named}.
   */
  public Standing standing(Instant now) {
    return new StandingQuery(rows, config, now, StandingQuery.Reach.ALL).ask();
  }

  /**
   * How many of each of {@link Standing.Stuck#KINDS} are stuck. Failed agents and dead letters are
   * counted; the rest is looked for among the first {@code agents.tending.page} of each status, in
   * the order of their keys, so that what it reads does not grow with what there is.
   */
  public Map<String, Long> countStuck(Instant now) {
    return new StandingQuery(rows, config, now, StandingQuery.Reach.FIRST).counts();
  }

  private <T> T get(Table<T> table, String kind, Id id) {
    return snapshot.find(table, id).orElseThrow(() -> AgentsException.unknown(kind, id));
  }

  /** Everything, or an error that names the limit. */
  private <T> List<T> all(Query<T> query) {
    int most = config.tending().list();
    List<T> found = rows.upTo(query, most + 1);
    new Limit("agents.tending.list", most).check(found.size());
    return found;
  }
}
