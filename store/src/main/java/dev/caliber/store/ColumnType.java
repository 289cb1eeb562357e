package dev.caliber.store;

import dev.caliber.kernel.Timestamps;
import java.time.Instant;

/** What a declared column holds. Each engine has one native type for each. */
enum ColumnType {
  TEXT,
  INTEGER,
  REAL,
  FLAG,
  INSTANT;

  /** The value as this type stores it, or an {@link IllegalArgumentException}. */
  Object check(Object value) {
    return switch (this) {
      case TEXT -> value.toString();
      case INTEGER -> {
        if (value instanceof Number number && isWhole(number)) {
          yield number.longValue();
        }
        throw mismatch(value);
      }
      case REAL -> {
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
          yield number.doubleValue();
        }
        throw mismatch(value);
      }
      case FLAG -> {
        if (value instanceof Boolean) {
          yield value;
        }
        throw mismatch(value);
      }
      case INSTANT -> {
        if (value instanceof Instant instant) {
          yield Timestamps.truncate(instant);
        }
        throw mismatch(value);
      }
    };
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long || number instanceof Integer || number instanceof Short;
  }

  private IllegalArgumentException mismatch(Object value) {
    return new IllegalArgumentException(
        "A column of type %s cannot hold %s".formatted(this, value.getClass().getSimpleName()));
  }
}
