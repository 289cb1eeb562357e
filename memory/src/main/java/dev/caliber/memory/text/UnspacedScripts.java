package dev.caliber.memory.text;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/** Scripts that put no blank between words: Chinese, Japanese, Thai and similar ones. */
public final class UnspacedScripts {
  private static final Set<UnicodeScript> UNSPACED =
      EnumSet.of(
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.THAI,
          UnicodeScript.LAO,
          UnicodeScript.KHMER,
          UnicodeScript.MYANMAR);

  /** First character of the first of these scripts; a fast path for characters below it. */
  private static final int FIRST = 0x0E01;

  /** The marks that lengthen a vowel belong to no one script. */
  private static final int LONG_VOWEL = 0x30FC;

  private static final int NARROW_LONG_VOWEL = 0xFF70;

  private UnspacedScripts() {}

  /** Returns whether a character belongs to a script without blanks between words. */
  public static boolean isUnspaced(int codePoint) {
    return codePoint >= FIRST
        && (codePoint == LONG_VOWEL
            || codePoint == NARROW_LONG_VOWEL
            || UNSPACED.contains(UnicodeScript.of(codePoint)));
  }

  /** Returns whether two adjacent characters may belong to two words. */
  public static boolean canSplit(int left, int right) {
    return !Character.isLetterOrDigit(left)
        || !Character.isLetterOrDigit(right)
        || isUnspaced(left)
        || isUnspaced(right);
  }
}
