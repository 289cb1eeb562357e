package dev.caliber.memory.record;

import dev.caliber.kernel.TokenEstimator;

/** Checks of text from outside. */
public final class TextChecks {
  private static final TokenEstimator BYTES = new TokenEstimator(1);

  private TextChecks() {}

  /** Returns the text if every engine can store it: no unpaired surrogate, no zero character. */
  public static String requireStorable(String field, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        if (!isSurrogatePair(text, i)) {
          throw MemoryException.unstorableText(field, i);
        }
        i++;
      }
    }
    return text;
  }

  /** Returns the text if it is storable and not blank. */
  public static String requireNotBlank(String field, String text) {
    if (text.isBlank()) {
      throw MemoryException.empty(field);
    }
    return requireStorable(field, text);
  }

  /** Returns the length of the text in UTF-8 bytes. */
  public static long utf8Length(String text) {
    return BYTES.estimate(text);
  }

  private static boolean isSurrogatePair(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1));
  }
}
