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
      case TEXT -> requireText(value.toString());
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

  /** Whether both engines can hold this text. */
  static boolean isText(String text) {
    try {
      requireText(text);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** Text that both engines take: no zero character, no half of a surrogate pair. */
  static String requireText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        if (!isPair(text, i)) {
          throw new IllegalArgumentException("A character that is not text, at position " + i);
        }
        i++;
      }
    }
    return text;
  }

  private static boolean isPair(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1));
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long || number instanceof Integer || number instanceof Short;
  }

  private IllegalArgumentException mismatch(Object value) {
    return new IllegalArgumentException(
        "A column of type %s cannot hold %s".formatted(this, value.getClass().getSimpleName()));
  }
}
