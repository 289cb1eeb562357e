package dev.caliber.agents;

/** Priority of a message; its rank is its position in this list, the smallest first. */
public enum MessagePriority {
  CRITICAL,
  HIGH,
  NORMAL,
  LOW;

  int rank() {
    return compareTo(CRITICAL);
  }
}
