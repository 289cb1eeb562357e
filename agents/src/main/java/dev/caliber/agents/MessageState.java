package dev.caliber.agents;

import dev.caliber.kernel.Transitions;

/** Where a message is. */
public enum MessageState {
  /** In its inbox. */
  PENDING,
  /** With one agent, who has not said yet that it is done. */
  DELIVERED,
  ACKNOWLEDGED,
  EXPIRED,
  /** Delivered too often, and never acknowledged; it waits for a while to be revived. */
  DEAD;

  /** What can happen to a message. */
  public enum Event {
    DELIVER,
    ACKNOWLEDGE,
    /** It was not acknowledged in time, or was given back. */
    RETURN,
    EXPIRE,
    GIVE_UP,
    REVIVE
  }

  /** The whole way of a message. */
  public static final Transitions<MessageState, Event> LIFE =
      Transitions.<MessageState, Event>from(PENDING)
          .on(PENDING, Event.DELIVER, DELIVERED)
          .on(PENDING, Event.EXPIRE, EXPIRED)
          .on(DELIVERED, Event.ACKNOWLEDGE, ACKNOWLEDGED)
          .on(DELIVERED, Event.RETURN, PENDING)
          .on(DELIVERED, Event.EXPIRE, EXPIRED)
          .on(DELIVERED, Event.GIVE_UP, DEAD)
          .on(DEAD, Event.REVIVE, PENDING)
          .on(DEAD, Event.EXPIRE, EXPIRED)
          .build();

  MessageState after(Event event) {
    return LIFE.next("Message", this, event);
  }

  /** Whether nobody has to do anything about it any more. */
  public boolean isEnded() {
    return this == ACKNOWLEDGED || this == EXPIRED || this == DEAD;
  }
}
