package dev.caliber.memory.text;

/** Truncates texts at the end of a word, or between two characters if there is none. */
final class TextTruncator {
  private static final String MARK = "…";

  private TextTruncator() {}

  /** Returns at most {@code length} characters; a truncated text ends with an ellipsis. */
  static String truncate(int length, String text) {
    if (text.length() <= length || text.codePointCount(0, text.length()) <= length) {
      return text;
    }
    int end = text.offsetByCodePoints(0, length - 1);
    return text.substring(0, isEdge(text, end) ? end : wordsEnd(text, end)).stripTrailing() + MARK;
  }

  private static boolean isEdge(String text, int at) {
    return UnspacedScripts.canSplit(text.codePointBefore(at), text.codePointAt(at));
  }

  /**
   * Finds the end of a word in the second half; a text that is nearly one long word is cut within
   * it.
   */
  private static int wordsEnd(String text, int end) {
    int at = end;
    while (at > end / 2 && !isEdge(text, at)) {
      at -= Character.charCount(text.codePointBefore(at));
    }
    return at > end / 2 ? at : end;
  }
}
