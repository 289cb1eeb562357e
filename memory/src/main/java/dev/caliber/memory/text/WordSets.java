package dev.caliber.memory.text;

import java.util.Set;

/** The words of texts as sets, for whoever compares one text with many. */
public final class WordSets {
  private WordSets() {}

  /** The words that say something, by their stems. */
  public static Set<String> of(String text) {
    return Words.content(text);
  }

  /** Which share of their words two sets have in common, from 0 to 1. */
  public static double likeness(Set<String> one, Set<String> other) {
    return Likeness.of(one, other);
  }

  /** Which share of the first words the second has, from 0 to 1. */
  public static double covered(Set<String> words, Set<String> other) {
    return Likeness.covered(words, other);
  }
}
