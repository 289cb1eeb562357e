package dev.caliber.agents;

/** What comes first: the one with the smaller rank, which is its place in this list. */
public enum Priority {
  CRITICAL,
  HIGH,
  NORMAL,
  LOW;

  int rank() {
    return compareTo(CRITICAL);
  }
}
