package dev.caliber.agents.registry;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Optional values as nullable columns. */
public final class OptionalColumns {
  private OptionalColumns() {}

  public static @Nullable String textOrNull(Optional<?> value) {
    return value.map(Object::toString).orElse(null);
  }

  public static @Nullable Instant instantOrNull(Optional<Instant> value) {
    return value.orElse(null);
  }
}
