package dev.caliber.kernel.config;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/** Allowed ranges of the runtime's settings. The values are in the starter file. */
final class ConfigBounds {
  static final int MAX_TOKENS = 2_000_000;
  static final int MAX_PRIORITY = 1_000_000;
  static final int MAX_COUNT = 100_000;
  static final int MAX_KEPT = 10_000_000;
  static final double MAX_MARGIN = 10;
  static final int MAX_DEPTH = 1_000;
  static final int MAX_TRUST = 100;
  static final int MAX_CONTENT = 10_000_000;
  static final double MIN_BYTES_PER_TOKEN = 0.1;
  static final double MAX_BYTES_PER_TOKEN = 100;
  static final Duration MIN_TIME = Duration.ofMillis(1);
  static final Duration MAX_TIME = Duration.ofDays(36_500);
  static final DataSize MIN_ARTIFACT = DataSize.parse("1B");
  static final DataSize MAX_ARTIFACT = DataSize.parse("32MiB");

  private ConfigBounds() {}
}
