package dev.caliber.kernel.config;

import java.time.Duration;

/** Bounds of values that callers send. */
final class ConfigBounds {
  static final Duration MAX_TIME = Duration.ofDays(36_500);

  private ConfigBounds() {}
}
