package dev.caliber.memory.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Scores of texts by the query's words: rare words count more, and long texts do not win by length.
 * It replaces a search index for a few thousand texts.
 */
public final class WordRanking {
  private WordRanking() {}

  /**
   * Returns a score from 0 to 1 for each text, in their order: the weighted share of the query's
   * words that it contains, reduced for a long text; 0 for a text without a word of the query.
   */
  public static List<Double> scores(String query, List<String> texts) {
    Set<String> wanted = WordTokenizer.contentWords(query);
    List<String> single = wanted.stream().filter(WordRanking::isSingle).toList();
    List<Set<String>> words = texts.stream().map(text -> wordsOf(text, single)).toList();
    Map<String, Integer> uses = new HashMap<>();
    for (Set<String> text : words) {
      text.stream().filter(wanted::contains).forEach(word -> uses.merge(word, 1, Integer::sum));
    }
    Map<String, Double> weights = new HashMap<>();
    wanted.forEach(word -> weights.put(word, wordWeight(texts.size(), uses.getOrDefault(word, 1))));
    return words.stream().map(text -> score(text, weights)).toList();
  }

  /** A single character is not in the bigrams of a text, so it is searched in the text itself. */
  private static boolean isSingle(String word) {
    return word.codePointCount(0, word.length()) == 1
        && UnspacedScripts.isUnspaced(word.codePointAt(0));
  }

  private static Set<String> wordsOf(String text, List<String> single) {
    Set<String> words = WordTokenizer.contentWords(text);
    single.stream().filter(text::contains).forEach(words::add);
    return words;
  }

  /** A word that few texts contain weighs more. */
  private static double wordWeight(int texts, int uses) {
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
