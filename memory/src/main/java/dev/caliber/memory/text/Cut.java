package dev.caliber.memory.text;

/** Makes texts shorter: at the end of a word, or where there is none between two characters. */
final class Cut {
  private static final String MARK = "…";

  private Cut() {}

  /** At most so many characters; what was longer ends with a mark that says so. */
  static String to(int length, String text) {
    if (text.length() <= length || text.codePointCount(0, text.length()) <= length) {
      return text;
    }
    int end = text.offsetByCodePoints(0, length - 1);
    return text.substring(0, isEdge(text, end) ? end : wordsEnd(text, end)).stripTrailing() + MARK;
  }

  private static boolean isEdge(String text, int at) {
    return Scripts.mayPart(text.codePointBefore(at), text.codePointAt(at));
  }

  /** In a text that is one long word, or nearly, more is kept by cutting the word. */
  private static int wordsEnd(String text, int end) {
    int at = end;
    while (at > end / 2 && !isEdge(text, at)) {
      at -= Character.charCount(text.codePointBefore(at));
    }
    return at > end / 2 ? at : end;
  }
}
