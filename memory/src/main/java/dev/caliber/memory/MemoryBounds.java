package dev.caliber.memory;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/** Lower and upper bounds of memory settings. */
final class MemoryBounds {
  static final DataSize MIN_CONTENT = new DataSize(1 << 10);
  static final DataSize MAX_CONTENT = new DataSize(512L << 20);
  static final int MAX_ENTRIES = 100_000;
  static final int MAX_PAGE = 10_000;
  static final int MAX_RECORDS = 1_000_000;
  static final int MAX_SENTENCES = 1000;
  static final int MIN_LENGTH = 10;
  static final int MAX_LENGTH = 1_000_000;
  static final int MAX_SUMMARIES = 4000;
  static final Duration MIN_BATCH_TIME = Duration.ofMillis(1);
  static final Duration MIN_TIME = Duration.ofSeconds(1);
  static final Duration MAX_TIME = Duration.ofDays(36_500);

  private MemoryBounds() {}
}
