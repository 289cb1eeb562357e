package dev.caliber.agents;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a message has come.
 *
 * @param attempts how often it was delivered
 * @param claimer who has it, or had it last
 * @param claimedUntil when it goes back unless it is acknowledged
 * @param deliveredAt when it was delivered first
 * @param endedAt since when nobody has to do anything about it
 * @param revivedAt when it was last put back as a dead letter
 */
public record Delivery(
    MessageState state,
    int attempts,
    Optional<AgentId> claimer,
    Optional<Instant> claimedUntil,
    Optional<Instant> deliveredAt,
    Optional<Instant> acknowledgedAt,
    Optional<Instant> endedAt,
    Optional<Instant> revivedAt) {

  static final Delivery NEW =
      new Delivery(
          MessageState.LIFE.initial(),
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  Delivery to(AgentId agent, Instant now, Instant until) {
    return new Delivery(
        state.after(MessageState.Event.DELIVER),
        attempts + 1,
        Optional.of(agent),
        Optional.of(until),
        deliveredAt.or(() -> Optional.of(now)),
        acknowledgedAt,
        endedAt,
        revivedAt);
  }

  Delivery acknowledged(Instant now) {
    return new Delivery(
        state.after(MessageState.Event.ACKNOWLEDGE),
        attempts,
        claimer,
        Optional.empty(),
        deliveredAt,
        Optional.of(now),
        Optional.of(now),
        revivedAt);
  }

  /** Back to its inbox, or to its end. */
  Delivery after(MessageState.Event event, Instant now) {
    MessageState next = state.after(event);
    return new Delivery(
        next,
        attempts,
        claimer,
        Optional.empty(),
        deliveredAt,
        acknowledgedAt,
        Optional.of(now).filter(_ -> next.isEnded()),
        revivedAt);
  }

  Delivery revived(Instant now) {
    return new Delivery(
        state.after(MessageState.Event.REVIVE),
        0,
        claimer,
        Optional.empty(),
        deliveredAt,
        acknowledgedAt,
        Optional.empty(),
        Optional.of(now));
  }
}
