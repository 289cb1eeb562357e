package dev.caliber.memory.record;

import java.time.Instant;
import java.util.Optional;

/** Time range in which something holds; an empty end is open. */
public record TimeRange(Optional<Instant> from, Optional<Instant> until) {
  private static final TimeRange ALWAYS = new TimeRange(Optional.empty(), Optional.empty());

  public TimeRange {
    if (from.isPresent() && until.isPresent() && !from.get().isBefore(until.get())) {
      throw MemoryException.invalid(
          "period", "a start before its end", from.get() + " to " + until.get());
    }
  }

  public static TimeRange always() {
    return ALWAYS;
  }

  public static TimeRange from(Instant start) {
    return new TimeRange(Optional.of(start), Optional.empty());
  }

  public static TimeRange between(Instant start, Instant end) {
    return new TimeRange(Optional.of(start), Optional.of(end));
  }

  public boolean contains(Instant time) {
    return from.filter(time::isBefore).isEmpty()
        && until.filter(end -> !time.isBefore(end)).isEmpty();
  }

  /** Returns this range cut at a time; unchanged if it ends earlier or has not begun by then. */
  TimeRange truncatedAt(Instant time) {
    return until.filter(end -> end.isBefore(time)).isPresent()
            || from.filter(start -> !start.isBefore(time)).isPresent()
        ? this
        : new TimeRange(from, Optional.of(time));
  }

  /** Returns whether the ranges have a moment in common. */
  public boolean overlaps(TimeRange other) {
    return startsBeforeEndOf(other) && other.startsBeforeEndOf(this);
  }

  private boolean startsBeforeEndOf(TimeRange other) {
    return from.isEmpty() || other.until.isEmpty() || from.get().isBefore(other.until.get());
  }
}
