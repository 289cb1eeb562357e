package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
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

/** What holds after every step, whatever crashed, paused, was lost or went wrong before it. */
final class Invariants {
  private static final int PAGE = 200;
  private static final Duration GRACE = AgentsConfig.starter().heartbeats().grace();

  private final RecordStore store;
  private final SpaceId space;
  private final Map<String, Long> lastGrant = new HashMap<>();
  private final Map<String, Long> lastExclusive = new HashMap<>();
  private final Map<String, MessageState> messages = new HashMap<>();
  private final Map<String, Optional<AgentId>> receivers = new HashMap<>();
  private final Set<Id> granted = new HashSet<>();
  private FeedCursor cursor;

  Invariants(RecordStore store, SpaceId space) {
    this.store = store;
    this.space = space;
    this.cursor = store.changes().head(space);
  }

  /** Looks at everything that was committed since the last look; true if leases have moved. */
  boolean check() {
    List<Change> all = new ArrayList<>();
    List<Commit> commits = store.changes().read(space, cursor, PAGE);
    while (!commits.isEmpty()) {
      commits.forEach(commit -> all.addAll(commit.changes()));
      cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
      commits = store.changes().read(space, cursor, PAGE);
    }
    if (!all.isEmpty()) {
      store.read(space, snapshot -> checked(snapshot, all));
    }
    return all.stream().anyMatch(change -> change.table().startsWith("lease"));
  }

  private boolean checked(Snapshot snapshot, List<Change> changes) {
    changes.forEach(change -> check(snapshot, change));
    return true;
  }

  private void check(Snapshot snapshot, Change change) {
    switch (change.table()) {
      case "lease" -> snapshot.find(Lease.TABLE, change.key()).ifPresent(it -> lease(snapshot, it));
      case "message" -> snapshot.find(Message.TABLE, change.key()).ifPresent(this::message);
      case "delegation" ->
          snapshot.find(Delegation.TABLE, change.key()).ifPresent(this::delegation);
      case "handoff" ->
          snapshot.find(Handoff.TABLE, change.key()).ifPresent(it -> handoff(snapshot, it));
      default -> {}
    }
  }

  /** Never two holders of which one is exclusive, and tokens only grow. */
  private void lease(Snapshot snapshot, Lease lease) {
    List<Lease> all = rows(snapshot).all(Lease.on(lease.resource()));
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

  /** A write was accepted: nobody got the resource since that its lease does not go with. */
  void written(Lease lease) {
    String resource = lease.resource().toString();
    long last =
        lease.mode() == LeaseMode.EXCLUSIVE
            ? lastGrant.getOrDefault(resource, 0L)
            : lastExclusive.getOrDefault(resource, 0L);
    assertThat(lease.token()).as("a stale write with %s", lease).isGreaterThanOrEqualTo(last);
  }

  /** What has ended stays as it ended. */
  private void message(Message message) {
    MessageState before = messages.put(message.id().toString(), message.state());
    if (before != null && before.isEnded()) {
      assertThat(message.state()).as("%s ended twice", message).isEqualTo(before);
    }
  }

  /** Accepted work has one receiver for ever. */
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

  /** A task has one open handoff, and is with one agent; who has accepted it has it. */
  private void handoff(Snapshot snapshot, Handoff handoff) {
    boolean accepted =
        handoff.receiver().isPresent()
            && receivers.getOrDefault(handoff.id().toString(), Optional.empty()).isEmpty();
    hasOneReceiver(handoff.id(), handoff.receiver());
    assertThat(
            rows(snapshot)
                .all(Query.over(Handoff.TABLE, "open_trajectory").equal(handoff.trajectory())))
        .as("open handoffs of a task")
        .hasSizeLessThan(2);
    List<AgentId> there =
        rows(snapshot)
            .all(Query.over(Agent.TABLE, "trajectory").equal(handoff.trajectory()))
            .stream()
            .map(Agent::id)
            .toList();
    assertThat(there).as("who is at %s", handoff.trajectory()).hasSizeLessThan(2);
    if (accepted) {
      assertThat(there).as("who has %s", handoff).isEqualTo(handoff.receiver().stream().toList());
    }
  }

  /**
   * Nobody was passed over who stood before and could not have shared. A place of one whose lease
   * there has ended goes with that lease.
   */
  static void inTurn(AcquireLease wish, List<Lease> held, List<LeaseWait> queue, Instant now) {
    boolean holds =
        held.stream().anyMatch(lease -> lease.holder().equals(wish.agent()) && lease.isLive(now));
    List<AgentId> ended =
        held.stream().filter(lease -> !lease.isLive(now)).map(Lease::holder).toList();
    for (LeaseWait wait : holds ? List.<LeaseWait>of() : queue) {
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

  /** Whoever follows who waits for whom comes to an end. */
  void nobodyWaitsInACircle(Instant now) {
    Map<AgentId, Set<AgentId>> behind = store.read(space, snapshot -> behind(rows(snapshot), now));
    boolean more = true;
    while (more) {
      more = behind.values().removeIf(before -> before.stream().noneMatch(behind::containsKey));
    }
    assertThat(behind).as("who waits in a circle").isEmpty();
  }

  /**
   * By the rows alone. A place of one whose lease there has ended goes with that lease as soon as
   * somebody comes.
   */
  private static Map<AgentId, Set<AgentId>> behind(Rows rows, Instant now) {
    List<Lease> leases = rows.all(Query.over(Lease.TABLE));
    List<LeaseWait> waits =
        rows.all(Query.over(LeaseWait.TABLE, "resource", "place")).stream()
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
    for (LeaseWait wait : waits) {
      Set<AgentId> before = behind.computeIfAbsent(wait.agent(), _ -> new HashSet<>());
      before.addAll(holders(leases, wait, now));
      if (!holds(leases, wait, now)) {
        waits.stream()
            .filter(other -> other.resource().equals(wait.resource()))
            .takeWhile(other -> !other.equals(wait))
            .filter(other -> !wait.mode().fits(other.mode()))
            .forEach(other -> before.add(other.agent()));
      }
    }
    return behind;
  }

  private static boolean holds(List<Lease> leases, LeaseWait wait, Instant now) {
    return leases.stream()
        .anyMatch(
            lease ->
                lease.resource().equals(wait.resource())
                    && lease.holder().equals(wait.agent())
                    && lease.isLive(now));
  }

  private static List<AgentId> holders(List<Lease> leases, LeaseWait wait, Instant now) {
    return leases.stream()
        .filter(
            lease ->
                lease.resource().equals(wait.resource())
                    && lease.isLive(now)
                    && !lease.holder().equals(wait.agent())
                    && !wait.mode().fits(lease.mode()))
        .map(Lease::holder)
        .toList();
  }

  private static Rows rows(Snapshot snapshot) {
    return new Rows(snapshot, PAGE);
  }

  /** Nothing was due before this time and is still as it was. */
  void nothingIsLate(Instant since) {
    store.read(
        space,
        snapshot -> {
          nothingIsLate(rows(snapshot), since);
          return true;
        });
  }

  static void nothingIsLate(Rows rows, Instant since) {
    assertThat(rows.due(Query.over(Delegation.TABLE, "due_at"), since, PAGE))
        .as("work that is late and still open")
        .isEmpty();
    assertThat(rows.due(Query.over(Message.TABLE, "due_at"), since, PAGE))
        .as("messages that are late and still where they were")
        .isEmpty();
    assertThat(rows.due(Query.over(Lease.TABLE, "expires_at"), since, PAGE))
        .as("leases that ended and are still there")
        .isEmpty();
    assertThat(rows.due(Query.over(LeaseWait.TABLE, "kept_until"), since, PAGE))
        .as("places that were lost and are still there")
        .isEmpty();
    assertThat(rows.due(Query.over(Heartbeat.TABLE, "watched_at"), since.minus(GRACE), PAGE))
        .as("agents that were silent for too long and have not failed")
        .isEmpty();
  }

  /** Everybody is long gone. */
  void nothingIsHeld() {
    store.read(
        space,
        snapshot -> {
          assertThat(rows(snapshot).all(Query.over(Lease.TABLE))).isEmpty();
          assertThat(rows(snapshot).all(Query.over(LeaseWait.TABLE))).isEmpty();
          return true;
        });
  }

  /** At the end every message has ended, each in one way. */
  Collection<MessageState> drained(int sent) {
    assertThat(messages).hasSize(sent);
    assertThat(messages.values()).allMatch(MessageState::isEnded);
    return messages.values();
  }
}
