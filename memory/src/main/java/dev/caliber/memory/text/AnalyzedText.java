package dev.caliber.memory.text;

import java.util.List;
import java.util.Set;

/**
 * Text prepared for comparison by rules.
 *
 * @param words content words, stemmed
 * @param stemmedWords all words in order, stemmed
 */
record AnalyzedText(Set<String> words, List<String> stemmedWords, List<TextClause> clauses) {

  static AnalyzedText of(String text) {
    return new AnalyzedText(
        WordTokenizer.contentWords(text),
        WordTokenizer.stemmedWords(text),
        TextClause.clausesOf(text));
  }

  /** Returns whether one text contains every word of the other in the same order. */
  boolean isWordSubsequence(AnalyzedText other) {
    return stemmedWords.size() <= other.stemmedWords.size()
        ? isSubsequence(stemmedWords, other.stemmedWords)
        : isSubsequence(other.stemmedWords, stemmedWords);
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
