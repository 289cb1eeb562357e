package dev.caliber.models;

import java.time.Duration;

/** Bounds of values that servers of models send. */
final class ModelsBounds {
  static final Duration MAX_RETRY_AFTER = Duration.ofDays(1);

  private ModelsBounds() {}
}
