package dev.caliber.memory.text;

import java.util.Set;

/**
 * Pairs of adjacent characters from text without blanks; words of other scripts in it are kept
 * whole.
 */
final class CharacterBigrams {
  private CharacterBigrams() {}

  static void addBigrams(String text, Set<String> into) {
    int start = 0;
    while (start < text.length()) {
      boolean unspaced = isUnspaced(text, start);
      int end = start;
      while (end < text.length() && isUnspaced(text, end) == unspaced) {
        end = nextIndex(text, end);
      }
      if (unspaced) {
        addRun(text.substring(start, end), into);
      } else {
        into.addAll(WordTokenizer.contentWords(text.substring(start, end)));
      }
      start = end;
    }
  }

  private static void addRun(String run, Set<String> into) {
    int left = 0;
    int middle = nextIndex(run, left);
    if (middle == run.length()) {
      into.add(run);
    }
    while (middle < run.length()) {
      int right = nextIndex(run, middle);
      into.add(run.substring(left, right));
      left = middle;
      middle = right;
    }
  }

  private static boolean isUnspaced(String text, int at) {
    return UnspacedScripts.isUnspaced(text.codePointAt(at));
  }

  private static int nextIndex(String text, int at) {
    return at + Character.charCount(text.codePointAt(at));
  }
}
