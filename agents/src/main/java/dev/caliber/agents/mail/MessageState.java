package dev.caliber.agents.mail;

import dev.caliber.kernel.Transitions;

/** State of a message. */
public enum MessageState {
  /** Waiting in its inbox. */
  PENDING,
  /** Claimed by one agent and not acknowledged yet. */
  DELIVERED,
  ACKNOWLEDGED,
  EXPIRED,
  /** Delivered too often without an acknowledgement; it can be requeued for some time. */
  DEAD;

  /** Event in the life cycle of a message. */
  public enum MessageTransition {
    DELIVER,
    ACKNOWLEDGE,
    /** Returned to the inbox, unacknowledged in time or given back. */
    RETURN,
    EXPIRE,
    GIVE_UP,
    REVIVE
  }

  /** Life cycle of a message. */
  public static final Transitions<MessageState, MessageTransition> LIFE =
      Transitions.<MessageState, MessageTransition>from(PENDING)
          .on(PENDING, MessageTransition.DELIVER, DELIVERED)
          .on(PENDING, MessageTransition.EXPIRE, EXPIRED)
          .on(DELIVERED, MessageTransition.ACKNOWLEDGE, ACKNOWLEDGED)
          .on(DELIVERED, MessageTransition.RETURN, PENDING)
          .on(DELIVERED, MessageTransition.EXPIRE, EXPIRED)
          .on(DELIVERED, MessageTransition.GIVE_UP, DEAD)
          .on(DEAD, MessageTransition.REVIVE, PENDING)
          .on(DEAD, MessageTransition.EXPIRE, EXPIRED)
          .build();

  MessageState next(MessageTransition messageTransition) {
    return LIFE.next("Message", this, messageTransition);
  }

  /** Returns whether it needs no more processing. */
  public boolean isEnded() {
    return this == ACKNOWLEDGED || this == EXPIRED || this == DEAD;
  }
}
