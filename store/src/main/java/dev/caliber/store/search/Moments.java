package dev.caliber.store.search;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Times as the index keeps them: microseconds, with those too far away at the ends. */
final class Moments {

  private static final long FURTHEST = TimeUnit.MICROSECONDS.toSeconds(Long.MAX_VALUE) - 1;

  private Moments() {}

  static long micros(Instant time) {
    long seconds = Math.clamp(time.getEpochSecond(), -FURTHEST, FURTHEST);
    return TimeUnit.SECONDS.toMicros(seconds) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }
}
