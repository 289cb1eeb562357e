package dev.caliber.memory.text;

import java.util.Set;

/** Similarity of two texts by their words. */
final class WordOverlap {
  private WordOverlap() {}

  /**
   * Returns the share of common words in all words (Jaccard), from 0 to 1; two empty sets have 1.
   */
  static double jaccardSimilarity(Set<String> one, Set<String> other) {
    long common = commonCount(one, other);
    long all = (long) one.size() + other.size() - common;
    return all == 0 ? 1 : (double) common / all;
  }

  /** Returns the share of {@code words} that the other set contains. */
  static double coverage(Set<String> words, Set<String> other) {
    return words.isEmpty() ? 0 : (double) commonCount(words, other) / words.size();
  }

  /** Counts with a loop over the smaller set, because a note is compared with hundreds. */
  static long commonCount(Set<String> one, Set<String> other) {
    Set<String> smaller = one.size() <= other.size() ? one : other;
    Set<String> larger = one.size() <= other.size() ? other : one;
    long common = 0;
    for (String word : smaller) {
      common += larger.contains(word) ? 1 : 0;
    }
    return common;
  }
}
