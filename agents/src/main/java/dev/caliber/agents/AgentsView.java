package dev.caliber.agents;

import dev.caliber.agents.command.DetectConflicts;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictStatus;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.Heartbeat;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.agents.registry.ResultPage;
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

/** Agents and their shared records, as of one snapshot. */
public final class AgentsView {
  private final Snapshot snapshot;
  private final AgentsConfig config;

  private AgentsView(Snapshot snapshot, AgentsConfig config) {
    this.snapshot = snapshot;
    this.config = config;
  }

  public static AgentsView of(Snapshot snapshot, AgentsConfig config) {
    return new AgentsView(snapshot, config);
  }

  Snapshot snapshot() {
    return snapshot;
  }

  /** Returns the agent, or refuses with {@code NOT_REGISTERED}. */
  public Agent agent(AgentId id) {
    return findAgent(id).orElseThrow(() -> AgentsException.notRegistered(id));
  }

  public Optional<Agent> findAgent(AgentId id) {
    return snapshot.find(Agent.TABLE, id);
  }

  /**
   * Returns all agents by name. This and every other list is refused if it has more than {@code
   * agents.maintenance.list-limit} entries.
   */
  public List<Agent> agents() {
    return allWithinLimit(Query.over(Agent.TABLE));
  }

  public List<Agent> agentsOfType(String type) {
    return allWithinLimit(Query.over(Agent.TABLE, "type").equal(type));
  }

  public List<Agent> agents(AgentStatus status) {
    return allWithinLimit(Query.over(Agent.TABLE, "status").equal(status.name()));
  }

  public List<Agent> agentsReportingTo(AgentId superior) {
    return allWithinLimit(Query.over(Agent.TABLE, "reports_to").equal(superior.value()));
  }

  /** Returns the time of the last heartbeat. */
  public Optional<Instant> lastHeartbeat(AgentId agent) {
    return snapshot.find(Heartbeat.TABLE, agent).map(Heartbeat::at);
  }

  boolean hasType(String type) {
    return snapshot.first(Query.over(Agent.TABLE, "type").equal(type)).isPresent();
  }

  List<Heartbeat> silentHeartbeats(Instant since, int limit) {
    return snapshot.list(Query.over(Heartbeat.TABLE, "watched_at").due(since), limit);
  }

  public Optional<Lease> lease(Id id) {
    return snapshot.find(Lease.TABLE, id);
  }

  /** Returns the leases on a resource, including expired ones that are not removed yet. */
  public List<Lease> leases(Resource resource) {
    return allWithinLimit(Lease.queryByResource(resource));
  }

  /** Returns the leases that an agent holds. */
  public List<Lease> leasesOf(AgentId holder) {
    return allWithinLimit(Query.over(Lease.TABLE, "holder").equal(holder.value()));
  }

  /** Returns the queue for a resource, the first entry in front. */
  public List<LeaseQueueEntry> leaseQueue(Resource resource) {
    return allWithinLimit(LeaseQueueEntry.queryByResource(resource));
  }

  List<Lease> expiredLeases(Instant now, int limit) {
    return snapshot.list(Query.over(Lease.TABLE, "expires_at").due(now), limit);
  }

  List<LeaseQueueEntry> expiredQueueEntries(Instant now, int limit) {
    return snapshot.list(Query.over(LeaseQueueEntry.TABLE, "kept_until").due(now), limit);
  }

  public Message message(Id id) {
    return requireRecord(Message.TABLE, "message", id);
  }

  /**
   * Returns the unexpired messages that wait for an agent or its type, by priority, then by age.
   */
  public List<Message> waitingMessages(AgentId id, Instant now, int limit) {
    return waitingMessages(agent(id), now, Math.min(limit, config.maintenance().listLimit()));
  }

  List<Message> waitingMessages(Agent agent, Instant now, int limit) {
    return inboxNames(agent)
        .flatMap(
            inbox ->
                snapshot
                    .list(
                        Message.queryPendingIn(inbox)
                            .where(
                                message -> !message.isExpired(now) && message.to().includes(agent)),
                        limit)
                    .stream())
        .sorted(MailHandler.ORDER)
        .limit(limit)
        .toList();
  }

  /** Returns the messages that wait for any agent of a type, by priority, then by age. */
  public List<Message> waitingMessages(String type, Instant now, int limit) {
    return waitingMessages(Recipient.ofType(type), now, Optional.empty(), limit).records();
  }

  /** Returns a page of the messages that wait for an agent and its type, or for a type alone. */
  public ResultPage<Message> waitingMessages(
      Recipient by, Instant now, Optional<String> after, int limit) {
    return inboxReader(by, limit).readMail(by.agent().map(this::agent), now, after);
  }

  private InboxReader inboxReader(Recipient by, int limit) {
    List<String> lines =
        by.agent().map(id -> inboxNames(agent(id)).toList()).orElseGet(() -> List.of(by.inbox()));
    return new InboxReader(snapshot, lines, Math.min(limit, config.maintenance().listLimit()));
  }

  /** Returns the inboxes of an agent: its own, then that of its type. */
  private static Stream<String> inboxNames(Agent agent) {
    return Stream.of(Recipient.inboxOf(agent.id()), Recipient.inboxOf(agent.type()));
  }

  /** Returns messages in a state, oldest first. */
  public List<Message> messages(MessageState state) {
    return allWithinLimit(Query.over(Message.TABLE, "state", "sequence").equal(state.name()));
  }

  /** Returns all leases, including expired ones that are not removed yet. */
  public List<Lease> leases() {
    return allWithinLimit(Query.over(Lease.TABLE));
  }

  /** Returns the agents that a task is assigned to. */
  public List<Agent> agentsAtTask(Id trajectory) {
    return allWithinLimit(Query.over(Agent.TABLE, "trajectory").equal(trajectory));
  }

  public Delegation delegation(Id id) {
    return requireRecord(Delegation.TABLE, "delegation", id);
  }

  public List<Delegation> delegations(DelegationStatus status) {
    return allWithinLimit(Query.over(Delegation.TABLE, "status").equal(status.name()));
  }

  /**
   * Returns the first delegations that an agent could accept: its own, then those of its type,
   * oldest first.
   */
  public List<Delegation> pendingDelegations(AgentId agent, int limit) {
    return pendingDelegations(Recipient.ofAgent(agent), Optional.empty(), limit).records();
  }

  /** Returns the first delegations that any agent of a type could accept, oldest first. */
  public List<Delegation> pendingDelegations(String type, int limit) {
    return pendingDelegations(Recipient.ofType(type), Optional.empty(), limit).records();
  }

  /** Returns a page of the delegations that could be accepted. */
  public ResultPage<Delegation> pendingDelegations(
      Recipient by, Optional<String> after, int limit) {
    return inboxReader(by, limit).readWork(InboxReader.DELEGATIONS, after);
  }

  public List<Delegation> delegationsBy(AgentId delegator) {
    return allWithinLimit(Query.over(Delegation.TABLE, "delegator").equal(delegator.value()));
  }

  public Handoff handoff(Id id) {
    return requireRecord(Handoff.TABLE, "handoff", id);
  }

  public List<Handoff> handoffs(HandoffStatus status) {
    return allWithinLimit(Query.over(Handoff.TABLE, "status").equal(status.name()));
  }

  /** Returns the handoffs of a task, oldest first. */
  public List<Handoff> handoffs(Id trajectory) {
    return allWithinLimit(Query.over(Handoff.TABLE, "trajectory").equal(trajectory));
  }

  /**
   * Returns the first handoffs that an agent could accept: its own, then those of its type, oldest
   * first.
   */
  public List<Handoff> pendingHandoffs(AgentId agent, int limit) {
    return pendingHandoffs(Recipient.ofAgent(agent), Optional.empty(), limit).records();
  }

  /** Returns the first handoffs that any agent of a type could accept, oldest first. */
  public List<Handoff> pendingHandoffs(String type, int limit) {
    return pendingHandoffs(Recipient.ofType(type), Optional.empty(), limit).records();
  }

  /** Returns a page of the handoffs that could be accepted. */
  public ResultPage<Handoff> pendingHandoffs(Recipient by, Optional<String> after, int limit) {
    return inboxReader(by, limit).readWork(InboxReader.HANDOFFS, after);
  }

  /** Returns the open handoff of a task. */
  Optional<Handoff> openHandoff(Id trajectory) {
    return snapshot.first(Query.over(Handoff.TABLE, "open_trajectory").equal(trajectory));
  }

  /** Returns the handoff that this one supersedes. */
  Optional<Handoff> supersededHandoff(Handoff by) {
    return snapshot.first(Query.over(Handoff.TABLE, "superseded_by").equal(by.id()));
  }

  public Conflict conflict(Id id) {
    return requireRecord(Conflict.TABLE, "conflict", id);
  }

  /** Returns conflicts that were detected, are being resolved or were escalated. */
  public List<Conflict> unresolvedConflicts() {
    return ConflictStatus.OPEN.stream()
        .flatMap(
            status ->
                allWithinLimit(Query.over(Conflict.TABLE, "status").equal(status.name())).stream())
        .toList();
  }

  /** Returns the unresolved conflicts of one task. */
  public List<Conflict> unresolvedConflicts(Id trajectory) {
    return allWithinLimit(queryOpenConflicts(trajectory));
  }

  /** Returns these conflicts and the other open ones of the task, up to the limit of a list. */
  DetectConflicts.DetectConflictsResult openConflicts(
      Id trajectory, List<Conflict> found, int uncompared) {
    int most = config.maintenance().listLimit();
    Set<Conflict> open = new LinkedHashSet<>(found);
    open.addAll(snapshot.list(queryOpenConflicts(trajectory), most + 1));
    return new DetectConflicts.DetectConflictsResult(
        open.stream().limit(most).toList(), open.size() > most || uncompared > 0, uncompared);
  }

  private static Query<Conflict> queryOpenConflicts(Id trajectory) {
    return Query.over(Conflict.TABLE, "open_in").equal(trajectory);
  }

  /**
   * Returns leases, waiting agents and stuck records. Each list has at most {@code
   * agents.maintenance.list-limit} entries and marks if there are more; for each waiting agent, the
   * first {@code agents.leases.agents-ahead-limit} agents before it are named.
   */
  public CoordinationStatus coordinationStatus(Instant now) {
    return new CoordinationStatusReader(
            snapshot, config, now, CoordinationStatusReader.ScanDepth.ALL)
        .readStatus();
  }

  /**
   * Returns the number of stuck records of each of {@link CoordinationStatus.StuckItem#KINDS}.
   * Failed agents and dead letters are counted exactly; the others are searched among the first
   * {@code agents.maintenance.page-size} of each status, in the order of their keys, so that the
   * cost does not grow with the number of records.
   */
  public Map<String, Long> countStuck(Instant now) {
    return new CoordinationStatusReader(
            snapshot, config, now, CoordinationStatusReader.ScanDepth.FIRST)
        .countStuck();
  }

  private <T> T requireRecord(Table<T> table, String kind, Id id) {
    return snapshot.find(table, id).orElseThrow(() -> AgentsException.unknownRecord(kind, id));
  }

  /** Returns all records, or refuses with the name of the limit. */
  private <T> List<T> allWithinLimit(Query<T> query) {
    int most = config.maintenance().listLimit();
    List<T> found = snapshot.list(query, most + 1);
    new Limit("agents.maintenance.list-limit", most).requireWithin(found.size());
    return found;
  }
}
