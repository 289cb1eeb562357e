package dev.caliber.memory.text;

import java.util.List;
import java.util.Set;

/**
 * A text as the rules that compare see it.
 *
 * @param words those that carry meaning, stemmed
 * @param sequence all words in order, stemmed
 */
record Reading(Set<String> words, List<String> sequence, List<Statement> statements) {

  static Reading of(String text) {
    return new Reading(Words.content(text), Words.sequence(text), Statement.of(text));
  }

  /** Whether one of both says every word of the other, in the same order. */
  boolean isWordedIn(Reading other) {
    return sequence.size() <= other.sequence.size()
        ? isSubsequence(sequence, other.sequence)
        : isSubsequence(other.sequence, sequence);
  }

  private static boolean isSubsequence(List<String> shorter, List<String> longer) {
    int found = 0;
    for (String word : longer) {
      if (found < shorter.size() && shorter.get(found).equals(word)) {
        found++;
      }
    }
    return !shorter.isEmpty() && found == shorter.size();
  }
}
