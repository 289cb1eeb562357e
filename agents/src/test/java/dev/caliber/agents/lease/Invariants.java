package dev.caliber.agents.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.Heartbeat;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordChange;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Invariants after every step, whatever crashed, paused, was lost or failed before. */
public final class Invariants {
  private static final int PAGE = 200;
  private static final Duration GRACE = AgentsConfig.starter().heartbeats().timeout();

  private final RecordStore store;
  private final SpaceId space;
  private final Map<String, Long> lastGrant = new HashMap<>();
  private final Map<String, Long> lastExclusive = new HashMap<>();
  private final Map<String, MessageState> messages = new HashMap<>();
  private final Map<String, Optional<AgentId>> receivers = new HashMap<>();
  private final Set<Id> granted = new HashSet<>();
  private FeedCursor cursor;

  public Invariants(RecordStore store, SpaceId space) {
    this.store = store;
    this.space = space;
    this.cursor = store.changes().head(space);
  }

  /** Checks everything committed since the last check; returns whether leases have changed. */
  public boolean check() {
    List<RecordChange> all = new ArrayList<>();
    List<Commit> commits = store.changes().read(space, cursor, PAGE);
    while (!commits.isEmpty()) {
      commits.forEach(commit -> all.addAll(commit.changes()));
      cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
      commits = store.changes().read(space, cursor, PAGE);
    }
    if (!all.isEmpty()) {
      store.read(space, snapshot -> checked(snapshot, all));
    }
    return all.stream().anyMatch(recordChange -> recordChange.table().startsWith("lease"));
  }

  private boolean checked(Snapshot snapshot, List<RecordChange> changes) {
    changes.forEach(recordChange -> check(snapshot, recordChange));
    return true;
  }

  private void check(Snapshot snapshot, RecordChange recordChange) {
    switch (recordChange.table()) {
      case "lease" ->
          snapshot.find(Lease.TABLE, recordChange.key()).ifPresent(it -> lease(snapshot, it));
      case "message" -> snapshot.find(Message.TABLE, recordChange.key()).ifPresent(this::message);
      case "delegation" ->
          snapshot.find(Delegation.TABLE, recordChange.key()).ifPresent(this::delegation);
      case "handoff" ->
          snapshot.find(Handoff.TABLE, recordChange.key()).ifPresent(it -> handoff(snapshot, it));
      default -> {}
    }
  }

  /** Checks that an exclusive holder is the only one, and that tokens only grow. */
  private void lease(Snapshot snapshot, Lease lease) {
    List<Lease> all = snapshot.list(Lease.queryByResource(lease.resource()));
    assertThat(all.stream().anyMatch(each -> each.mode() == LeaseMode.EXCLUSIVE) && all.size() > 1)
        .as("an exclusive holder beside another: %s", all)
        .isFalse();
    if (granted.add(lease.id())) {
      String resource = lease.resource().toString();
      assertThat(lease.token())
          .as("token of %s", lease)
          .isGreaterThan(lastGrant.getOrDefault(resource, 0L));
      lastGrant.put(resource, lease.token());
      if (lease.mode() == LeaseMode.EXCLUSIVE) {
        lastExclusive.put(resource, lease.token());
      }
    }
  }

  /** Checks an accepted write: no incompatible lease was granted since. */
  public void written(Lease lease) {
    String resource = lease.resource().toString();
    long last =
        lease.mode() == LeaseMode.EXCLUSIVE
            ? lastGrant.getOrDefault(resource, 0L)
            : lastExclusive.getOrDefault(resource, 0L);
    assertThat(lease.token()).as("a stale write with %s", lease).isGreaterThanOrEqualTo(last);
  }

  /** Checks that an ended message keeps its state. */
  private void message(Message message) {
    MessageState before = messages.put(message.id().toString(), message.state());
    if (before != null && before.isEnded()) {
      assertThat(message.state()).as("%s ended twice", message).isEqualTo(before);
    }
  }

  /** Checks that accepted work keeps its receiver. */
  private void delegation(Delegation delegation) {
    hasOneReceiver(delegation.id(), delegation.delegatee());
  }

  private void hasOneReceiver(Id work, Optional<AgentId> receiver) {
    Optional<AgentId> before = receivers.getOrDefault(work.toString(), Optional.empty());
    assertThat(before.isEmpty() || before.equals(receiver))
        .as("%s has another receiver", work)
        .isTrue();
    receivers.put(work.toString(), receiver);
  }

  /** Checks that a task has one open handoff and one agent: the one that accepted it. */
  private void handoff(Snapshot snapshot, Handoff handoff) {
    boolean accepted =
        handoff.receiver().isPresent()
            && receivers.getOrDefault(handoff.id().toString(), Optional.empty()).isEmpty();
    hasOneReceiver(handoff.id(), handoff.receiver());
    assertThat(
            snapshot.list(Query.over(Handoff.TABLE, "open_trajectory").equal(handoff.trajectory())))
        .as("open handoffs of a task")
        .hasSizeLessThan(2);
    List<AgentId> there =
        snapshot.list(Query.over(Agent.TABLE, "trajectory").equal(handoff.trajectory())).stream()
            .map(Agent::id)
            .toList();
    assertThat(there).as("who is at %s", handoff.trajectory()).hasSizeLessThan(2);
    if (accepted) {
      assertThat(there).as("who has %s", handoff).isEqualTo(handoff.receiver().stream().toList());
    }
  }

  /**
   * Checks that no earlier incompatible entry was passed over. The entry of an agent whose lease on
   * the resource has expired ends with that lease.
   */
  public static void inTurn(
      AcquireLease wish, List<Lease> held, List<LeaseQueueEntry> queue, Instant now) {
    boolean holds =
        held.stream().anyMatch(lease -> lease.holder().equals(wish.agent()) && lease.isLive(now));
    List<AgentId> ended =
        held.stream().filter(lease -> !lease.isLive(now)).map(Lease::holder).toList();
    for (LeaseQueueEntry wait : holds ? List.<LeaseQueueEntry>of() : queue) {
      if (!wait.isLive(now) || ended.contains(wait.agent())) {
        continue;
      }
      if (wait.agent().equals(wish.agent())) {
        if (wait.mode() == LeaseMode.EXCLUSIVE || wish.mode() == LeaseMode.SHARED) {
          return;
        }
      } else {
        assertThat(List.of(wait.mode(), wish.mode()))
            .as("%s was before %s", wait, wish)
            .containsOnly(LeaseMode.SHARED);
      }
    }
  }

  /** Checks that the wait-for graph has no cycle. */
  public void nobodyWaitsInACircle(Instant now) {
    Map<AgentId, Set<AgentId>> behind = store.read(space, snapshot -> behind(snapshot, now));
    boolean more = true;
    while (more) {
      more = behind.values().removeIf(before -> before.stream().noneMatch(behind::containsKey));
    }
    assertThat(behind).as("who waits in a circle").isEmpty();
  }

  /**
   * Computes the wait-for graph from the rows alone. The entry of an agent whose lease has expired
   * ends with the lease at the next request.
   */
  private static Map<AgentId, Set<AgentId>> behind(Snapshot snapshot, Instant now) {
    List<Lease> leases = snapshot.list(Query.over(Lease.TABLE));
    List<LeaseQueueEntry> waits =
        snapshot.list(Query.over(LeaseQueueEntry.TABLE, "resource", "place")).stream()
            .filter(
                wait ->
                    wait.isLive(now)
                        && leases.stream()
                            .noneMatch(
                                lease ->
                                    lease.resource().equals(wait.resource())
                                        && lease.holder().equals(wait.agent())
                                        && !lease.isLive(now)))
            .toList();
    Map<AgentId, Set<AgentId>> behind = new HashMap<>();
    for (LeaseQueueEntry wait : waits) {
      Set<AgentId> before = behind.computeIfAbsent(wait.agent(), _ -> new HashSet<>());
      before.addAll(holders(leases, wait, now));
      if (!holds(leases, wait, now)) {
        waits.stream()
            .filter(other -> other.resource().equals(wait.resource()))
            .takeWhile(other -> !other.equals(wait))
            .filter(other -> !wait.mode().isCompatibleWith(other.mode()))
            .forEach(other -> before.add(other.agent()));
      }
    }
    return behind;
  }

  private static boolean holds(List<Lease> leases, LeaseQueueEntry wait, Instant now) {
    return leases.stream()
        .anyMatch(
            lease ->
                lease.resource().equals(wait.resource())
                    && lease.holder().equals(wait.agent())
                    && lease.isLive(now));
  }

  private static List<AgentId> holders(List<Lease> leases, LeaseQueueEntry wait, Instant now) {
    return leases.stream()
        .filter(
            lease ->
                lease.resource().equals(wait.resource())
                    && lease.isLive(now)
                    && !lease.holder().equals(wait.agent())
                    && !wait.mode().isCompatibleWith(lease.mode()))
        .map(Lease::holder)
        .toList();
  }

  /** Checks that no work due before this time is unprocessed. */
  public void nothingIsLate(Instant since) {
    store.read(
        space,
        snapshot -> {
          nothingIsLate(snapshot, since);
          return true;
        });
  }

  public static void nothingIsLate(Snapshot snapshot, Instant since) {
    assertThat(snapshot.list(Query.over(Delegation.TABLE, "due_at").due(since), PAGE))
        .as("work that is late and still open")
        .isEmpty();
    assertThat(snapshot.list(Query.over(Message.TABLE, "due_at").due(since), PAGE))
        .as("messages that are late and still where they were")
        .isEmpty();
    assertThat(snapshot.list(Query.over(Lease.TABLE, "expires_at").due(since), PAGE))
        .as("leases that ended and are still there")
        .isEmpty();
    assertThat(snapshot.list(Query.over(LeaseQueueEntry.TABLE, "kept_until").due(since), PAGE))
        .as("places that were lost and are still there")
        .isEmpty();
    assertThat(
            snapshot.list(Query.over(Heartbeat.TABLE, "watched_at").due(since.minus(GRACE)), PAGE))
        .as("agents that were silent for too long and have not failed")
        .isEmpty();
  }

  /** Checks that every lease has ended. */
  public void nothingIsHeld() {
    store.read(
        space,
        snapshot -> {
          assertThat(snapshot.list(Query.over(Lease.TABLE))).isEmpty();
          assertThat(snapshot.list(Query.over(LeaseQueueEntry.TABLE))).isEmpty();
          return true;
        });
  }

  /** Checks at the end that every message has ended once. */
  public Collection<MessageState> drained(int sent) {
    assertThat(messages).hasSize(sent);
    assertThat(messages.values()).allMatch(MessageState::isEnded);
    return messages.values();
  }
}
