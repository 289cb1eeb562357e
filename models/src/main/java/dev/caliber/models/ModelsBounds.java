package dev.caliber.models;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/** Allowed ranges of the settings. The values themselves are in the starter file. */
final class ModelsBounds {

  static final int MAX_THREADS = 256;
  static final int MAX_QUEUE = 1_000_000;
  static final int MAX_PARTS = 10_000;
  static final int MAX_DIMENSIONS = 16_384;
  static final int MAX_HASH_DIMENSIONS = 4_096;
  static final int MAX_BATCH = 10_000;
  static final int MAX_PARALLEL = 1_000;
  static final int MAX_SENTENCES = 100;
  static final int MAX_FINDINGS = 1_000;
  static final int MAX_RETRIES = 100;
  static final double MIN_MULTIPLIER = Math.nextUp(1.0);
  static final double MAX_MULTIPLIER = 100;
  static final Duration MIN_BACKOFF = Duration.ofMillis(1);
  static final Duration MAX_BACKOFF = Duration.ofHours(1);
  static final Duration MAX_RETRY_AFTER = Duration.ofDays(1);
  static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
  static final Duration MAX_TIMEOUT = Duration.ofHours(1);
  static final DataSize MIN_SIZE = DataSize.parse("1KiB");
  static final DataSize MAX_TEXT = DataSize.parse("32MiB");
  static final DataSize MAX_ANSWER = DataSize.parse("64MiB");
  static final DataSize MAX_BUDGET = DataSize.parse("1GiB");

  private ModelsBounds() {}
}
