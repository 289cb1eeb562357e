package dev.caliber.memory.record;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Optional values as columns, which are empty when the value is. */
final class Columns {
  private Columns() {}

  static @Nullable String text(Optional<?> value) {
    return value.map(Object::toString).orElse(null);
  }

  static @Nullable Instant instant(Optional<Instant> value) {
    return value.orElse(null);
  }
}
