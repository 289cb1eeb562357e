package dev.caliber.memory.text;

import java.util.Set;

/** Word sets of texts, for comparing one text with many. */
public final class WordSets {
  private WordSets() {}

  /** Returns the content words of a text, stemmed. */
  public static Set<String> wordsOf(String text) {
    return WordTokenizer.contentWords(text);
  }

  /** Returns the share of words that two sets have in common, from 0 to 1. */
  public static double similarity(Set<String> one, Set<String> other) {
    return WordOverlap.jaccardSimilarity(one, other);
  }

  /** Returns the share of {@code words} that the other set contains, from 0 to 1. */
  public static double coverage(Set<String> words, Set<String> other) {
    return WordOverlap.coverage(words, other);
  }
}
