package dev.caliber.memory.record;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Lifetime of an artifact. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Ttl {

  /** Lifetime without an end. */
  @JsonTypeName("persistent")
  record PersistentTtl() implements Ttl {}

  /** Lifetime until the end of the trajectory. */
  @JsonTypeName("session")
  record TrajectoryTtl() implements Ttl {}

  /** Lifetime until the scope closes. */
  @JsonTypeName("scope")
  record ScopeTtl() implements Ttl {}

  /** Lifetime of a duration from the creation on. */
  @JsonTypeName("duration")
  record DurationTtl(long millis) implements Ttl {
    private static final long MILLIS_PER_DAY = 86_400_000;

    /** Maximum number of days, so that the end can be stored: the year 9965, from 2026 on. */
    private static final long DAYS_BOUND = 2_900_000;

    public DurationTtl {
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
    return new PersistentTtl();
  }

  static Ttl of(Duration duration) {
    if (duration.toDays() > DurationTtl.DAYS_BOUND) {
      throw DurationTtl.tooLong(duration.toString());
    }
    return new DurationTtl(duration.toMillis());
  }

  /** Returns the lifetime that ends later; persistent if that is not known. */
  default Ttl longerOf(Ttl other) {
    return switch (this) {
      case ScopeTtl _ when other instanceof TrajectoryTtl -> other;
      case TrajectoryTtl _ when other instanceof ScopeTtl -> this;
      case DurationTtl(long millis) when other instanceof DurationTtl(long others) ->
          new DurationTtl(Math.max(millis, others));
      default -> equals(other) ? this : persistent();
    };
  }

  /** Returns the end, if it is known at the start. */
  default Optional<Instant> expiresAt(Instant start) {
    return this instanceof DurationTtl(long millis)
        ? Optional.of(start.plusMillis(millis))
        : Optional.empty();
  }
}
