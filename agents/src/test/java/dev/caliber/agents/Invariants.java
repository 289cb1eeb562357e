package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import java.time.Instant;
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

  /** Looks at everything that was committed since the last look. */
  void check() {
    List<Commit> commits = store.changes().read(space, cursor, PAGE);
    for (Commit commit : commits) {
      store.read(
          space,
          snapshot -> {
            commit.changes().forEach(change -> check(snapshot, change));
            return true;
          });
      cursor = new FeedCursor(cursor.epoch(), commit.sequence());
    }
  }

  private void check(Snapshot snapshot, Change change) {
    switch (change.table()) {
      case "lease" -> snapshot.find(Lease.TABLE, change.key()).ifPresent(it -> lease(snapshot, it));
      case "message" -> snapshot.find(Message.TABLE, change.key()).ifPresent(this::message);
      case "delegation" ->
          snapshot.find(Delegation.TABLE, change.key()).ifPresent(this::delegation);
      default -> {}
    }
  }

  /** Never two holders of which one is exclusive, and tokens only grow. */
  private void lease(Snapshot snapshot, Lease lease) {
    List<Lease> all = Rows.all(snapshot, Lease.on(lease.resource()));
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
    Optional<AgentId> before = receivers.getOrDefault(delegation.id().toString(), Optional.empty());
    assertThat(before.isEmpty() || before.equals(delegation.delegatee()))
        .as("%s has another receiver", delegation)
        .isTrue();
    receivers.put(delegation.id().toString(), delegation.delegatee());
  }

  /** After somebody has looked at this time, nothing is late. */
  void tended(AgentsView view, Instant now) {
    for (DelegationStatus open :
        List.of(
            DelegationStatus.PENDING, DelegationStatus.ACCEPTED, DelegationStatus.IN_PROGRESS)) {
      assertThat(view.delegations(open))
          .as("work that is late and still open")
          .noneMatch(work -> work.dueAt().filter(due -> due.isBefore(now)).isPresent());
    }
  }

  /** At the end every message has ended, each in one way. */
  Collection<MessageState> drained(int sent) {
    assertThat(messages).hasSize(sent);
    assertThat(messages.values()).allMatch(MessageState::isEnded);
    return messages.values();
  }
}
