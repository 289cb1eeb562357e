package dev.caliber.memory.context.render;

import java.time.Instant;
import java.time.ZoneOffset;

/** Dates in UTC. */
final class UtcDates {
  private UtcDates() {}

  static String dateOf(Instant moment) {
    return moment.atZone(ZoneOffset.UTC).toLocalDate().toString();
  }
}
