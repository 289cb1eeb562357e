package dev.caliber.memory.record;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conversions of optional values to nullable column values. */
public final class NullableColumns {
  private NullableColumns() {}

  public static @Nullable String textOrNull(Optional<?> value) {
    return value.map(Object::toString).orElse(null);
  }

  public static @Nullable Instant instantOrNull(Optional<Instant> value) {
    return value.orElse(null);
  }
}
