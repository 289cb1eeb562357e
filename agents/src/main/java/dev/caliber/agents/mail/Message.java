package dev.caliber.agents.mail;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.memory.record.NullableColumns;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Message between agents. It is delivered until it is acknowledged, expires or exceeds the number
 * of deliveries.
 *
 * @param sequence the commit that sent it
 * @param key idempotency key: another send by this agent with this key returns this message
 */
public record Message(
    Id id,
    long sequence,
    AgentId from,
    Recipient to,
    MessageContent letter,
    MessagePriority priority,
    Optional<Instant> expiresAt,
    Optional<String> key,
    MessageDelivery delivery,
    Instant createdAt) {

  public static final Table<Message> TABLE =
      Table.of("message", "Messages between agents.", Message.class, Message::id)
          .text("from_agent", message -> message.from.value())
          .text("trajectory", message -> NullableColumns.textOrNull(message.letter.trajectory()))
          .text("inbox", message -> message.to.inbox())
          .text("pending_inbox", Message::pendingInbox)
          .text("open_inbox", Message::openInbox)
          .text("state", message -> message.state().name())
          .integer("rank", message -> message.priority.rank())
          .integer("sequence", Message::sequence)
          .instant("due_at", message -> NullableColumns.instantOrNull(message.dueAt()))
          .instant("settled_at", message -> NullableColumns.instantOrNull(message.settledAt()))
          .instant("dead_since", message -> NullableColumns.instantOrNull(message.deadSince()))
          .text(
              "send_key",
              message ->
                  NullableColumns.textOrNull(message.key.map(text -> sendKey(message.from, text))))
          .index("pending_inbox", "rank", "sequence")
          .index("open_inbox")
          .index("state", "sequence")
          .index("trajectory")
          .index("due_at")
          .index("settled_at")
          .index("dead_since")
          .unique("send_key");

  public static String sendKey(AgentId from, String key) {
    return from + "/" + key;
  }

  /** Returns pending messages by rank, then by age. */
  public static Query<Message> queryPendingIn(String inbox) {
    return Query.over(TABLE, "pending_inbox", "rank", "sequence").equal(inbox);
  }

  /** Returns pending messages, and claimed ones that may come back. */
  public static Query<Message> queryOpenIn(String inbox) {
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

  /** Returns when it ended; empty for a dead letter, which waits to be requeued. */
  public Optional<Instant> settledAt() {
    return delivery.endedAt().filter(_ -> state() != MessageState.DEAD);
  }

  /** Returns when it became a dead letter. */
  private Optional<Instant> deadSince() {
    return delivery.endedAt().filter(_ -> state() == MessageState.DEAD);
  }

  /** Returns when it expires or returns to its inbox. */
  public Optional<Instant> dueAt() {
    return switch (state()) {
      case PENDING -> expiresAt;
      case DELIVERED -> delivery.claimedUntil();
      case ACKNOWLEDGED, EXPIRED, DEAD -> Optional.empty();
    };
  }

  public boolean isExpired(Instant now) {
    return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
  }

  public Message withDelivery(MessageDelivery other) {
    return withDelivery(other, expiresAt);
  }

  /** Returns it to its inbox with a new count of deliveries and a new lifetime. */
  public Message withRequeue(Instant now) {
    Instant begun = delivery.revivedAt().orElse(createdAt);
    return withDelivery(
        delivery.withRequeue(now), expiresAt.map(end -> now.plus(Duration.between(begun, end))));
  }

  private Message withDelivery(MessageDelivery other, Optional<Instant> end) {
    return new Message(id, sequence, from, to, letter, priority, end, key, other, createdAt);
  }
}
