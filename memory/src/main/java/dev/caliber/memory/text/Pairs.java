package dev.caliber.memory.text;

import java.util.Set;

/** Text without blanks as pairs of characters; what is of another script in it stays whole. */
final class Pairs {
  private Pairs() {}

  static void of(String text, Set<String> into) {
    int start = 0;
    while (start < text.length()) {
      boolean unspaced = isUnspaced(text, start);
      int end = start;
      while (end < text.length() && isUnspaced(text, end) == unspaced) {
        end = next(text, end);
      }
      if (unspaced) {
        pairs(text.substring(start, end), into);
      } else {
        into.addAll(Words.content(text.substring(start, end)));
      }
      start = end;
    }
  }

  private static void pairs(String run, Set<String> into) {
    int left = 0;
    int middle = next(run, left);
    if (middle == run.length()) {
      into.add(run);
    }
    while (middle < run.length()) {
      int right = next(run, middle);
      into.add(run.substring(left, right));
      left = middle;
      middle = right;
    }
  }

  private static boolean isUnspaced(String text, int at) {
    return Scripts.isUnspaced(text.codePointAt(at));
  }

  private static int next(String text, int at) {
    return at + Character.charCount(text.codePointAt(at));
  }
}
