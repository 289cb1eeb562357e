package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/** Allowed ranges of the settings. The values themselves are in the starter file. */
final class StoreBounds {

  static final DataSize MIN_CACHE = DataSize.parse("1MiB");
  static final DataSize MAX_CACHE = DataSize.parse("64GiB");
  static final long MAX_CHECKPOINT_PAGES = 16_777_216;
  static final Duration MIN_PAUSE = Duration.ofMillis(1);
  static final Duration MAX_PAUSE = Duration.ofHours(1);
  static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
  static final Duration MAX_TIMEOUT = Duration.ofHours(1);
  static final Duration MAX_RETENTION = Duration.ofDays(36_500);
  static final int MAX_SESSIONS = 1_000;
  static final int MAX_GROUP = 1_024;
  static final int MAX_QUEUE = 1_000_000;
  static final int MAX_CHANGES = 1_000_000;
  static final int MAX_PAGE = 100_000;
  static final int MAX_SCAN = 10_000_000;
  static final int MAX_ATTEMPTS = 1_000;
  static final DataSize MIN_RECORD = DataSize.parse("1KiB");
  static final DataSize MAX_RECORD = DataSize.parse("32MiB");
  static final DataSize MIN_FREE_DISK = DataSize.parse("0B");
  static final DataSize MAX_FREE_DISK = DataSize.parse("1048576GiB");

  private StoreBounds() {}
}
