package dev.caliber.agents.registry;

import java.time.Duration;

/** Bounds of values that callers send. */
final class AgentsBounds {
  static final Duration MAX_TIME = Duration.ofDays(3650);

  private AgentsBounds() {}
}
