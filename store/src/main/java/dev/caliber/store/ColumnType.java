package dev.caliber.store;

import dev.caliber.kernel.Timestamps;
import java.time.Instant;

/** Type of a declared column. Each engine has one native type for each. */
public enum ColumnType {
  TEXT,
  INTEGER,
  REAL,
  FLAG,
  INSTANT;

  /** Returns the value as this type stores it, or throws {@link IllegalArgumentException}. */
  public Object checkedValue(Object value) {
    return switch (this) {
      case TEXT -> requireText(value.toString());
      case INTEGER -> {
        if (value instanceof Number number && isInteger(number)) {
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

  /** Returns whether both engines can store this text. */
  public static boolean isText(String text) {
    try {
      requireText(text);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /**
   * Returns the text if both engines can store it: no zero character, no half of a surrogate pair.
   */
  public static String requireText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        if (!isSurrogatePair(text, i)) {
          throw new IllegalArgumentException("An invalid character in a text, at position " + i);
        }
        i++;
      }
    }
    return text;
  }

  private static boolean isSurrogatePair(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1));
  }

  private static boolean isInteger(Number number) {
    return number instanceof Long || number instanceof Integer || number instanceof Short;
  }

  private IllegalArgumentException mismatch(Object value) {
    return new IllegalArgumentException(
        "A column of type %s cannot hold %s".formatted(this, value.getClass().getSimpleName()));
  }
}
