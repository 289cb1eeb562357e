package dev.caliber.memory.record;

import java.time.Instant;
import java.util.Optional;

/** From when on and until when something holds; an open end is open. */
public record Period(Optional<Instant> from, Optional<Instant> until) {
  private static final Period ALWAYS = new Period(Optional.empty(), Optional.empty());

  public Period {
    if (from.isPresent() && until.isPresent() && !from.get().isBefore(until.get())) {
      throw MemoryException.invalid(
          "period", "a start before its end", from.get() + " to " + until.get());
    }
  }

  public static Period always() {
    return ALWAYS;
  }

  public static Period from(Instant start) {
    return new Period(Optional.of(start), Optional.empty());
  }

  public static Period between(Instant start, Instant end) {
    return new Period(Optional.of(start), Optional.of(end));
  }

  public boolean contains(Instant time) {
    return from.filter(time::isBefore).isEmpty()
        && until.filter(end -> !time.isBefore(end)).isEmpty();
  }

  /**
   * Ended at this time, unless it ends earlier; what has not begun by then is over at its start.
   */
  Period endedAt(Instant time) {
    return until.filter(end -> end.isBefore(time)).isPresent()
            || from.filter(start -> !start.isBefore(time)).isPresent()
        ? this
        : new Period(from, Optional.of(time));
  }

  /** Whether some moment is in both. */
  public boolean overlaps(Period other) {
    return startsBeforeEndOf(other) && other.startsBeforeEndOf(this);
  }

  private boolean startsBeforeEndOf(Period other) {
    return from.isEmpty() || other.until.isEmpty() || from.get().isBefore(other.until.get());
  }
}
