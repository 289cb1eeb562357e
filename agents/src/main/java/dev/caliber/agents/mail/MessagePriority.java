package dev.caliber.agents.mail;

/** Priority of a message; its rank is its position in this list, the smallest first. */
public enum MessagePriority {
  CRITICAL,
  HIGH,
  NORMAL,
  LOW;

  public int rank() {
    return compareTo(CRITICAL);
  }
}
