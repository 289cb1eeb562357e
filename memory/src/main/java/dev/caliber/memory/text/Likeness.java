package dev.caliber.memory.text;

import java.util.Set;

/** How much two texts say the same, by their words. */
final class Likeness {
  private Likeness() {}

  /** The share of common words in all words (Jaccard), from 0 to 1; two empty sets are alike. */
  static double of(Set<String> one, Set<String> other) {
    long common = common(one, other);
    long all = (long) one.size() + other.size() - common;
    return all == 0 ? 1 : (double) common / all;
  }

  /** Which share of the words the other has too. */
  static double covered(Set<String> words, Set<String> other) {
    return words.isEmpty() ? 0 : (double) common(words, other) / words.size();
  }

  /** A note is held against hundreds: a loop over the smaller set is what this is about. */
  static long common(Set<String> one, Set<String> other) {
    Set<String> smaller = one.size() <= other.size() ? one : other;
    Set<String> larger = one.size() <= other.size() ? other : one;
    long common = 0;
    for (String word : smaller) {
      common += larger.contains(word) ? 1 : 0;
    }
    return common;
  }
}
