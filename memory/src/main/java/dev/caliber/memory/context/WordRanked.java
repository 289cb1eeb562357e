package dev.caliber.memory.context;

import dev.caliber.memory.text.WordRanking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** A record with the score of its words, where there is no index. */
record WordRanked<T>(T record, double score) {

  /** Those that have a word of the query, best first; equal ones keep their order. */
  static <T> List<WordRanked<T>> of(String query, List<T> records, Function<T, String> words) {
    List<Double> scores = WordRanking.of(query, records.stream().map(words).toList());
    List<WordRanked<T>> ranked = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (scores.get(i) > 0) {
        ranked.add(new WordRanked<>(records.get(i), scores.get(i)));
      }
    }
    ranked.sort(Comparator.comparingDouble(each -> -each.score()));
    return ranked;
  }
}
