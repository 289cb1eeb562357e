package dev.caliber.agents.mail;

import dev.caliber.agents.registry.AgentId;
import java.time.Instant;
import java.util.Optional;

/**
 * Delivery state of a message.
 *
 * @param attempts number of deliveries
 * @param claimer the agent that claimed it last
 * @param claimedUntil when it returns to its inbox unless it is acknowledged
 * @param deliveredAt time of the first delivery
 * @param endedAt when it was acknowledged, expired or became a dead letter
 * @param revivedAt when it was last requeued as a dead letter
 */
public record MessageDelivery(
    MessageState state,
    int attempts,
    Optional<AgentId> claimer,
    Optional<Instant> claimedUntil,
    Optional<Instant> deliveredAt,
    Optional<Instant> acknowledgedAt,
    Optional<Instant> endedAt,
    Optional<Instant> revivedAt) {

  public static final MessageDelivery NEW =
      new MessageDelivery(
          MessageState.LIFE.initial(),
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  public MessageDelivery withClaim(AgentId agent, Instant now, Instant until) {
    return new MessageDelivery(
        state.next(MessageState.MessageTransition.DELIVER),
        attempts + 1,
        Optional.of(agent),
        Optional.of(until),
        deliveredAt.or(() -> Optional.of(now)),
        acknowledgedAt,
        endedAt,
        revivedAt);
  }

  public MessageDelivery withAcknowledgement(Instant now) {
    return new MessageDelivery(
        state.next(MessageState.MessageTransition.ACKNOWLEDGE),
        attempts,
        claimer,
        Optional.empty(),
        deliveredAt,
        Optional.of(now),
        Optional.of(now),
        revivedAt);
  }

  /** Returns it to its inbox, or ends it. */
  public MessageDelivery withStateAfter(
      MessageState.MessageTransition messageTransition, Instant now) {
    MessageState next = state.next(messageTransition);
    return new MessageDelivery(
        next,
        attempts,
        claimer,
        Optional.empty(),
        deliveredAt,
        acknowledgedAt,
        Optional.of(now).filter(_ -> next.isEnded()),
        revivedAt);
  }

  MessageDelivery withRequeue(Instant now) {
    return new MessageDelivery(
        state.next(MessageState.MessageTransition.REVIVE),
        0,
        claimer,
        Optional.empty(),
        deliveredAt,
        acknowledgedAt,
        Optional.empty(),
        Optional.of(now));
  }
}
