package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One message. It is delivered until it is acknowledged, expires or was delivered too often; each
 * of these once.
 *
 * @param sequence the commit that sent it
 * @param key a second send by the same agent with this text is answered with this message
 */
public record Message(
    Id id,
    long sequence,
    AgentId from,
    Address to,
    Letter letter,
    Priority priority,
    Optional<Instant> expiresAt,
    Optional<String> key,
    Delivery delivery,
    Instant createdAt) {

  public static final Table<Message> TABLE =
      Table.of("message", "What agents tell each other.", Message.class, Message::id)
          .text("from_agent", message -> message.from.value())
          .text("trajectory", message -> Columns.text(message.letter.trajectory()))
          .text("inbox", message -> message.to.inbox())
          .text("pending_inbox", Message::pendingInbox)
          .text("open_inbox", Message::openInbox)
          .text("state", message -> message.state().name())
          .integer("rank", message -> message.priority.rank())
          .integer("sequence", Message::sequence)
          .instant("due_at", message -> Columns.instant(message.dueAt()))
          .instant("settled_at", message -> Columns.instant(message.settledAt()))
          .instant("dead_since", message -> Columns.instant(message.deadSince()))
          .text(
              "send_key",
              message -> Columns.text(message.key.map(text -> keyOf(message.from, text))))
          .index("pending_inbox", "rank", "sequence")
          .index("open_inbox")
          .index("state", "sequence")
          .index("trajectory")
          .index("due_at")
          .index("settled_at")
          .index("dead_since")
          .unique("send_key");

  static String keyOf(AgentId from, String key) {
    return from + "/" + key;
  }

  /** By rank, then by age. */
  static Query<Message> waitingIn(String inbox) {
    return Query.over(TABLE, "pending_inbox", "rank", "sequence").equal(inbox);
  }

  /** What waits there, and what was taken and may come back. */
  static Query<Message> openIn(String inbox) {
    return Query.over(TABLE, "open_inbox").equal(inbox);
  }

  public MessageState state() {
    return delivery.state();
  }

  private @Nullable String pendingInbox() {
    return state() == MessageState.PENDING ? to.inbox() : null;
  }

  private @Nullable String openInbox() {
    return state().isEnded() ? null : to.inbox();
  }

  /** Since when nobody needs it any more; a dead letter waits for somebody to look at it. */
  Optional<Instant> settledAt() {
    return delivery.endedAt().filter(_ -> state() != MessageState.DEAD);
  }

  /** Since when it waits for somebody to look at it. */
  private Optional<Instant> deadSince() {
    return delivery.endedAt().filter(_ -> state() == MessageState.DEAD);
  }

  /** When something happens to it by itself. */
  Optional<Instant> dueAt() {
    return switch (state()) {
      case PENDING -> expiresAt;
      case DELIVERED -> delivery.claimedUntil();
      case ACKNOWLEDGED, EXPIRED, DEAD -> Optional.empty();
    };
  }

  boolean isExpired(Instant now) {
    return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
  }

  Message with(Delivery other) {
    return with(other, expiresAt);
  }

  /** Back in its inbox; its deliveries and its time begin anew. */
  Message revived(Instant now) {
    Instant begun = delivery.revivedAt().orElse(createdAt);
    return with(
        delivery.revived(now), expiresAt.map(end -> now.plus(Duration.between(begun, end))));
  }

  private Message with(Delivery other, Optional<Instant> end) {
    return new Message(id, sequence, from, to, letter, priority, end, key, other, createdAt);
  }
}
