package dev.caliber.agents;

import dev.caliber.agents.CoordinationStatus.LeaseWaiter;
import dev.caliber.agents.CoordinationStatus.StuckItem;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictStatus;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.lease.ResourceContention;
import dev.caliber.agents.lease.WaitForGraph;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reader of the coordination status; each list is limited and marked when there is more. */
final class CoordinationStatusReader {
  private final Snapshot snapshot;
  private final ScanDepth scanDepth;
  private final int most;
  private final int named;
  private final Instant now;
  private final Instant cutoff;
  private final SortedSet<String> cut = new TreeSet<>();
  private final int pageSize;
  private final Map<Resource, ResourceContention> crowds = new HashMap<>();
  private final Map<AgentId, Boolean> failed = new HashMap<>();

  /** Depth of the search for stuck records. */
  enum ScanDepth {
    /** Reads only the first rows of an index; for frequent calls. */
    FIRST,
    ALL
  }

  CoordinationStatusReader(
      Snapshot snapshot, AgentsConfig config, Instant now, ScanDepth scanDepth) {
    this.snapshot = snapshot;
    this.scanDepth = scanDepth;
    this.pageSize = config.maintenance().pageSize();
    this.most = config.maintenance().listLimit();
    this.named = config.leases().agentsAheadLimit();
    this.now = now;
    this.cutoff = now.minus(config.maintenance().stuckAfter());
  }

  CoordinationStatus readStatus() {
    List<Lease> leases = matchingRows("lease", Query.over(Lease.TABLE), lease -> lease.isLive(now));
    List<LeaseQueueEntry> waits = liveEntries();
    List<StuckItem> stuck =
        StuckItem.KINDS.stream().flatMap(kind -> stuckOfKind(kind, waits)).toList();
    return new CoordinationStatus(leases, waiters(waits), stuck, List.copyOf(cut));
  }

  /** Returns the number of stuck records of each kind; kinds with an index are counted exactly. */
  Map<String, Long> countStuck() {
    List<LeaseQueueEntry> waits = liveEntries();
    return StuckItem.KINDS.stream()
        .collect(Collectors.toMap(kind -> kind, kind -> count(kind, waits)));
  }

  private long count(String kind, List<LeaseQueueEntry> waits) {
    return switch (kind) {
      case "agent" -> snapshot.count(queryByStatus(AgentStatus.FAILED)) + blockedAgents().count();
      case "message" -> snapshot.count(queryByStatus(MessageState.DEAD)) + unreadMessages().count();
      default -> stuckOfKind(kind, waits).count();
    };
  }

  private <T> List<T> matchingRows(String kind, Query<T> query, Predicate<T> wanted) {
    return switch (scanDepth) {
      case FIRST -> snapshot.list(query, pageSize).stream().filter(wanted).toList();
      case ALL -> {
        List<T> found = snapshot.list(query.where(wanted), most + 1);
        if (found.size() > most) {
          cut.add(kind);
        }
        yield found.stream().limit(most).toList();
      }
    };
  }

  private List<LeaseQueueEntry> liveEntries() {
    return matchingRows("lease_wait", Query.over(LeaseQueueEntry.TABLE), wait -> wait.isLive(now));
  }

  /**
   * Names only the first agents before each: naming all would take the square of the queue's
   * length.
   */
  private List<LeaseWaiter> waiters(List<LeaseQueueEntry> waits) {
    WaitForGraph waitForGraph = new WaitForGraph(snapshot, now);
    return waits.stream()
        .map(wait -> waiter(wait, contention(wait.resource(), waitForGraph)))
        .toList();
  }

  private ResourceContention contention(Resource resource, WaitForGraph waitForGraph) {
    return crowds.computeIfAbsent(
        resource,
        one -> ResourceContention.of(waitForGraph.liveHolders(one), waitForGraph.liveQueue(one)));
  }

  private LeaseWaiter waiter(LeaseQueueEntry wait, ResourceContention resourceContention) {
    List<AgentId> before = resourceContention.queueFront(wait, named).blockingAgents();
    List<AgentId> first = before.stream().limit(named).toList();
    return new LeaseWaiter(
        wait.agent(), wait.resource(), first, wait.since(), before.size() > first.size());
  }

  private Stream<StuckItem> stuckOfKind(String kind, List<LeaseQueueEntry> waits) {
    return switch (kind) {
      case "agent" -> stuckAgents();
      case "lease_wait" -> stuckWaits(waits);
      case "message" -> stuckMessages();
      case "delegation" -> stuckDelegations();
      case "handoff" -> stuckHandoffs();
      case "conflict" -> stuckConflicts();
      default -> throw new IllegalArgumentException("Unknown kind of stuck record: " + kind);
    };
  }

  private Stream<StuckItem> stuckAgents() {
    return Stream.concat(
            matchingRows("agent", queryByStatus(AgentStatus.FAILED), _ -> true).stream(),
            blockedAgents())
        .map(
            agent ->
                newStuckItem(
                    "agent",
                    agent.id(),
                    EnumNames.lowerCaseName(agent.status()),
                    agent.updatedAt()));
  }

  private Stream<Agent> blockedAgents() {
    return matchingRows(
        "agent", queryByStatus(AgentStatus.BLOCKED), agent -> agent.updatedAt().isBefore(cutoff))
        .stream();
  }

  private static Query<Agent> queryByStatus(AgentStatus status) {
    return Query.over(Agent.TABLE, "status").equal(status.name());
  }

  private Stream<StuckItem> stuckWaits(List<LeaseQueueEntry> waits) {
    return waits.stream()
        .filter(wait -> wait.since().isBefore(cutoff))
        .map(
            wait ->
                newStuckItem(
                    "lease_wait", wait.agent() + " for " + wait.resource(), "waits", wait.since()));
  }

  /** Returns dead letters, and messages that were not claimed for too long. */
  private Stream<StuckItem> stuckMessages() {
    Stream<StuckItem> dead =
        matchingRows("message", queryByStatus(MessageState.DEAD), _ -> true).stream()
            .map(
                message ->
                    newStuckItem("message", message.id(), "dead letter", message.createdAt()));
    Stream<StuckItem> waiting =
        unreadMessages()
            .map(message -> newStuckItem("message", message.id(), "waits", message.createdAt()));
    return Stream.concat(dead, waiting);
  }

  private Stream<Message> unreadMessages() {
    return matchingRows(
        "message",
        queryByStatus(MessageState.PENDING),
        message -> message.createdAt().isBefore(cutoff) && !message.isExpired(now))
        .stream();
  }

  private static Query<Message> queryByStatus(MessageState state) {
    return Query.over(Message.TABLE, "state", "sequence").equal(state.name());
  }

  private Stream<StuckItem> stuckDelegations() {
    return Stream.of(
            DelegationStatus.PENDING, DelegationStatus.ACCEPTED, DelegationStatus.IN_PROGRESS)
        .map(status -> Query.over(Delegation.TABLE, "status").equal(status.name()))
        .flatMap(
            open ->
                matchingRows(
                    "delegation",
                    open,
                    work -> work.updatedAt().isBefore(cutoff) || isOrphaned(work))
                    .stream())
        .map(
            work ->
                newStuckItem(
                    "delegation",
                    work.id(),
                    isOrphaned(work)
                        ? "the agent that does the work failed"
                        : EnumNames.lowerCaseName(work.status()),
                    work.updatedAt()));
  }

  private boolean isOrphaned(Delegation work) {
    return work.delegatee()
        .filter(agent -> failed.computeIfAbsent(agent, this::hasFailed))
        .isPresent();
  }

  private boolean hasFailed(AgentId id) {
    return snapshot
        .find(Agent.TABLE, id)
        .filter(agent -> agent.status() == AgentStatus.FAILED)
        .isPresent();
  }

  private Stream<StuckItem> stuckHandoffs() {
    return Stream.of(HandoffStatus.INITIATED, HandoffStatus.ACCEPTED)
        .map(status -> Query.over(Handoff.TABLE, "status").equal(status.name()))
        .flatMap(
            open ->
                matchingRows(
                    "handoff",
                    open,
                    handoff -> handoff.isOpen() && lastTransitionAt(handoff).isBefore(cutoff))
                    .stream())
        .map(
            handoff ->
                newStuckItem(
                    "handoff",
                    handoff.id(),
                    EnumNames.lowerCaseName(handoff.status()),
                    lastTransitionAt(handoff)));
  }

  private static Instant lastTransitionAt(Handoff handoff) {
    return handoff.acceptedAt().orElse(handoff.initiatedAt());
  }

  private Stream<StuckItem> stuckConflicts() {
    return ConflictStatus.OPEN.stream()
        .map(status -> Query.over(Conflict.TABLE, "status").equal(status.name()))
        .flatMap(open -> matchingRows("conflict", open, this::isStuck).stream())
        .map(
            conflict ->
                newStuckItem(
                    "conflict",
                    conflict.id(),
                    EnumNames.lowerCaseName(conflict.status()),
                    conflict.detectedAt()));
  }

  private boolean isStuck(Conflict conflict) {
    return conflict.status() == ConflictStatus.ESCALATED || conflict.detectedAt().isBefore(cutoff);
  }

  private static StuckItem newStuckItem(String kind, Object id, String reason, Instant since) {
    return new StuckItem(kind, id.toString(), reason, since);
  }
}
