package dev.caliber.agents;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/** Bounds of the settings of agents. */
final class AgentsBounds {
  static final Duration MIN_TIME = Duration.ofMillis(10);
  static final Duration MAX_TIME = Duration.ofDays(3650);
  static final DataSize MIN_CONTENT = new DataSize(1 << 10);
  static final DataSize MAX_CONTENT = new DataSize(16L << 20);
  static final int MAX_ENTRIES = 100_000;

  private AgentsBounds() {}
}
