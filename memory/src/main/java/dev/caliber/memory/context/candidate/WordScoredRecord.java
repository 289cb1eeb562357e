package dev.caliber.memory.context.candidate;

import dev.caliber.memory.text.WordRanking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Record with its word score, used where there is no index. */
record WordScoredRecord<T>(T record, double score) {

  /** Returns the records with a word of the query, best first; equal scores keep their order. */
  static <T> List<WordScoredRecord<T>> rankByWords(
      String query, List<T> records, Function<T, String> words) {
    List<Double> scores = WordRanking.scores(query, records.stream().map(words).toList());
    List<WordScoredRecord<T>> ranked = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (scores.get(i) > 0) {
        ranked.add(new WordScoredRecord<>(records.get(i), scores.get(i)));
      }
    }
    ranked.sort(Comparator.comparingDouble(each -> -each.score()));
    return ranked;
  }
}
