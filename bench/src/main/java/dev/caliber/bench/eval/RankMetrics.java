package dev.caliber.bench.eval;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures of one ranked list, as trec_eval defines them; ids come without duplicates. */
final class RankMetrics {

  private RankMetrics() {}

  /** Returns the share of the gold in the first k. */
  static double recall(List<String> ranked, Set<String> gold, int k) {
    return (double) countFound(ranked, gold, k) / gold.size();
  }

  /** Returns the share of gold among the first k; a shorter list is filled up with misses. */
  static double precision(List<String> ranked, Set<String> gold, int k) {
    return (double) countFound(ranked, gold, k) / k;
  }

  /** Returns 1 if the first is gold, else 0. */
  static double hitAt1(List<String> ranked, Set<String> gold) {
    return countFound(ranked, gold, 1);
  }

  private static long countFound(List<String> ranked, Set<String> gold, int k) {
    return ranked.stream().limit(k).filter(gold::contains).count();
  }

  /** Returns the mean of the precision at each gold document; one that is not found counts 0. */
  static double averagePrecision(List<String> ranked, Set<String> gold) {
    double sum = 0;
    int found = 0;
    for (int i = 0; i < ranked.size(); i++) {
      if (gold.contains(ranked.get(i))) {
        found++;
        sum += (double) found / (i + 1);
      }
    }
    return sum / gold.size();
  }

  /** Returns the gain, grade over log2(rank + 1), divided by that of the best list. */
  static double ndcg(List<String> ranked, Map<String, Integer> gold, int k) {
    double sum = 0;
    for (int i = 0; i < Math.min(k, ranked.size()); i++) {
      sum += gold.getOrDefault(ranked.get(i), 0) / discount(i);
    }
    return sum / idealGain(gold, k);
  }

  private static double idealGain(Map<String, Integer> gold, int k) {
    List<Integer> grades = gold.values().stream().sorted(Comparator.reverseOrder()).toList();
    double sum = 0;
    for (int i = 0; i < Math.min(k, grades.size()); i++) {
      sum += grades.get(i) / discount(i);
    }
    return sum;
  }

  private static double discount(int index) {
    return Math.log(index + 2.0) / Math.log(2);
  }
}
