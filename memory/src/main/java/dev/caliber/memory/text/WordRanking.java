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

  /**
   * A score from 0 to 1 for each text, in their order: the share of the query's words that it has,
   * by their weight, less for a long text; 0 for one that has no word of the query.
   */
  public static List<Double> of(String query, List<String> texts) {
    Set<String> wanted = Words.content(query);
    List<String> single = wanted.stream().filter(WordRanking::isSingle).toList();
    List<Set<String>> words = texts.stream().map(text -> words(text, single)).toList();
    Map<String, Integer> uses = new HashMap<>();
    for (Set<String> text : words) {
      text.stream().filter(wanted::contains).forEach(word -> uses.merge(word, 1, Integer::sum));
    }
    Map<String, Double> weights = new HashMap<>();
    wanted.forEach(word -> weights.put(word, weight(texts.size(), uses.getOrDefault(word, 1))));
    return words.stream().map(text -> score(text, weights)).toList();
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

  /** A word that few texts have says more. */
  private static double weight(int texts, int uses) {
    return Math.log1p((double) texts / uses);
  }

  private static double score(Set<String> text, Map<String, Double> weights) {
    double all = 0;
    double had = 0;
    for (Map.Entry<String, Double> word : weights.entrySet()) {
      all += word.getValue();
      had += text.contains(word.getKey()) ? word.getValue() : 0;
    }
    return had == 0 ? 0 : had / all / Math.log(Math.E + text.size());
  }
}
