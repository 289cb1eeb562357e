package dev.caliber.memory.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Scores texts by the query's words: rare ones count more, and long texts do not win by length. A
 * stand-in for a search index over a few thousand texts.
 */
public final class WordRanking {
  private WordRanking() {}

  /** A score for each text, in their order; 0 for one that has no word of the query. */
  public static List<Double> of(String query, List<String> texts) {
    Set<String> wanted = Words.content(query);
    List<String> single = wanted.stream().filter(WordRanking::isSingle).toList();
    List<Set<String>> words = texts.stream().map(text -> words(text, single)).toList();
    Map<String, Integer> uses = new HashMap<>();
    for (Set<String> text : words) {
      text.stream().filter(wanted::contains).forEach(word -> uses.merge(word, 1, Integer::sum));
    }
    return words.stream().map(text -> score(text, wanted, uses, texts.size())).toList();
  }

  /** A character that is asked for alone is in no pair of characters. */
  private static boolean isSingle(String word) {
    return word.codePointCount(0, word.length()) == 1 && Scripts.isUnspaced(word.codePointAt(0));
  }

  private static Set<String> words(String text, List<String> single) {
    Set<String> words = Words.content(text);
    single.stream().filter(text::contains).forEach(words::add);
    return words;
  }

  private static double score(
      Set<String> text, Set<String> wanted, Map<String, Integer> uses, int texts) {
    double sum =
        wanted.stream()
            .filter(text::contains)
            .mapToDouble(word -> Math.log1p((double) texts / uses.getOrDefault(word, 1)))
            .sum();
    return text.isEmpty() ? 0 : sum / Math.log(Math.E + text.size());
  }
}
