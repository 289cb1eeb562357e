package dev.caliber.store.search.format;

import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/** Conversion of times to the index's microseconds; times out of range are clamped. */
public final class IndexTimestamps {

  private static final long FURTHEST = TimeUnit.MICROSECONDS.toSeconds(Long.MAX_VALUE) - 1;

  private IndexTimestamps() {}

  /** Returns the day in UTC. */
  public static LocalDate utcDay(long micros) {
    return LocalDate.ofEpochDay(Math.floorDiv(micros, TimeUnit.DAYS.toMicros(1)));
  }

  public static long micros(Instant time) {
    long seconds = Math.clamp(time.getEpochSecond(), -FURTHEST, FURTHEST);
    return TimeUnit.SECONDS.toMicros(seconds) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }
}
