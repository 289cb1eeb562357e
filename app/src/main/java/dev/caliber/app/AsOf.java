package dev.caliber.app;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Timestamps;
import java.time.Instant;

/** What {@code --as-of} says: a time with its offset, or a day, which begins at midnight, UTC. */
final class AsOf {
  private static final String DATE = "yyyy-mm-dd";
  private static final String MIDNIGHT = "T00:00:00Z";

  private AsOf() {}

  static Instant time(String text) {
    try {
      return Timestamps.parse(text.length() == DATE.length() ? text + MIDNIGHT : text);
    } catch (KernelException e) {
      throw AppException.usage(
          "--as-of: " + e.getMessage(), "As in 2026-03-01 or 2026-03-01T09:30:00Z.");
    }
  }
}
