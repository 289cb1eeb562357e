package dev.caliber.memory.context;

import java.time.Instant;
import java.time.ZoneOffset;

/** The day of a moment, in UTC. */
final class Days {
  private Days() {}

  static String of(Instant moment) {
    return moment.atZone(ZoneOffset.UTC).toLocalDate().toString();
  }
}
