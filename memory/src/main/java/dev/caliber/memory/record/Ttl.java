package dev.caliber.memory.record;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How long an artifact lives. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Ttl {

  /** Until somebody removes it. */
  @JsonTypeName("persistent")
  record Persistent() implements Ttl {}

  /** Until its trajectory ends. */
  @JsonTypeName("session")
  record Session() implements Ttl {}

  /** Until its scope closes. */
  @JsonTypeName("scope")
  record Scope() implements Ttl {}

  /** For a time, from its creation on. */
  @JsonTypeName("duration")
  record For(long millis) implements Ttl {
    private static final long MILLIS_PER_DAY = 86_400_000;

    /** With this its end is a time that can be written down: the year 9965, from 2026 on. */
    private static final long DAYS_BOUND = 2_900_000;

    public For {
      if (millis <= 0) {
        throw MemoryException.invalid("ttl", "more than 0 ms", millis + " ms");
      }
      if (millis > DAYS_BOUND * MILLIS_PER_DAY) {
        throw tooLong(millis + " ms");
      }
    }

    private static MemoryException tooLong(String found) {
      return MemoryException.invalid(
          "ttl", "at most %d days, or a persistent one".formatted(DAYS_BOUND), found);
    }
  }

  static Ttl persistent() {
    return new Persistent();
  }

  static Ttl of(Duration duration) {
    if (duration.toDays() > For.DAYS_BOUND) {
      throw For.tooLong(duration.toString());
    }
    return new For(duration.toMillis());
  }

  /**
   * Whichever of the two ends later; persistent where only time will tell, because what was asked
   * for twice must not go early.
   */
  default Ttl orLonger(Ttl other) {
    return switch (this) {
      case Scope _ when other instanceof Session -> other;
      case Session _ when other instanceof Scope -> this;
      case For(long millis) when other instanceof For(long others) ->
          new For(Math.max(millis, others));
      default -> equals(other) ? this : persistent();
    };
  }

  /** When it ends, as far as that is known at the start. */
  default Optional<Instant> end(Instant start) {
    return this instanceof For(long millis)
        ? Optional.of(start.plusMillis(millis))
        : Optional.empty();
  }
}
