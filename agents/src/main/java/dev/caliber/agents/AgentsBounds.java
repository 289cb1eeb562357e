package dev.caliber.agents;

import java.time.Duration;

/** Bounds of values that callers send. */
final class AgentsBounds {
  static final Duration MAX_TIME = Duration.ofDays(3650);

  private AgentsBounds() {}
}
