package dev.caliber.store.search;

import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/** Times as the index keeps them: microseconds, with those too far away at the ends. */
final class Moments {

  private static final long FURTHEST = TimeUnit.MICROSECONDS.toSeconds(Long.MAX_VALUE) - 1;

  private Moments() {}

  /** The day in UTC. */
  static LocalDate day(long micros) {
    return LocalDate.ofEpochDay(Math.floorDiv(micros, TimeUnit.DAYS.toMicros(1)));
  }

  static long micros(Instant time) {
    long seconds = Math.clamp(time.getEpochSecond(), -FURTHEST, FURTHEST);
    return TimeUnit.SECONDS.toMicros(seconds) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }
}
