package dev.caliber.memory.record;

import dev.caliber.kernel.TokenEstimate;

/** Checks of text that comes from outside. */
public final class Texts {
  private static final TokenEstimate BYTES = new TokenEstimate(1);

  private Texts() {}

  /** The text, if every engine and every reader can hold it: no half character, no zero. */
  public static String require(String field, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        if (!isPair(text, i)) {
          throw MemoryException.notText(field, i);
        }
        i++;
      }
    }
    return text;
  }

  /** Text that says something. */
  public static String requireFilled(String field, String text) {
    if (text.isBlank()) {
      throw MemoryException.empty(field);
    }
    return require(field, text);
  }

  /** How many bytes the text has in UTF-8. */
  public static long bytes(String text) {
    return BYTES.estimate(text);
  }

  private static boolean isPair(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1));
  }
}
