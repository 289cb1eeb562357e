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

  private static long common(Set<String> one, Set<String> other) {
    return one.stream().filter(other::contains).count();
  }
}
