package dev.caliber.agents;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Optional values as nullable columns. */
final class OptionalColumns {
  private OptionalColumns() {}

  static @Nullable String textOrNull(Optional<?> value) {
    return value.map(Object::toString).orElse(null);
  }

  static @Nullable Instant instantOrNull(Optional<Instant> value) {
    return value.orElse(null);
  }
}
