package dev.caliber.app.shell;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Timestamps;
import java.time.Instant;

/** Parser of times as people write them: a date, or a time with its offset. */
public final class TimeParser {
  private static final String DATE = "yyyy-mm-dd";
  private static final String MIDNIGHT = "T00:00:00Z";

  private TimeParser() {}

  /** Parses a time; a date means its midnight, UTC. */
  public static Instant parse(String option, String text) {
    try {
      return Timestamps.parse(text.length() == DATE.length() ? text + MIDNIGHT : text);
    } catch (KernelException e) {
      throw AppException.usage(
          option + ": " + e.getMessage(), "As in 2026-03-01 or 2026-03-01T09:30:00Z.");
    }
  }
}
