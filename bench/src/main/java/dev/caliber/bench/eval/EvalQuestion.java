package dev.caliber.bench.eval;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A question and its answers.
 *
 * @param category the category of the data set; empty if it has none
 * @param gold ids of documents with their grades, above 0
 * @param sides for questions whose answer has sides: the ids of each
 */
record EvalQuestion(
    String id, String text, String category, Map<String, Integer> gold, List<Set<String>> sides) {

  EvalQuestion {
    gold = Map.copyOf(gold);
    sides = List.copyOf(sides);
  }

  static EvalQuestion of(String id, String text, String category, Iterable<String> gold) {
    Map<String, Integer> grades = new java.util.HashMap<>();
    gold.forEach(document -> grades.put(document, 1));
    return new EvalQuestion(id, text, category, grades, List.of());
  }

  boolean hasGold() {
    return !gold.isEmpty();
  }
}
