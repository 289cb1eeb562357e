package dev.caliber.bench;

import java.util.List;
import java.util.Map;

/** What a search found for a question: the receipt of its figures. */
record EvalAnswer(String corpus, EvalQuestion question, List<Hit> hits) {

  EvalAnswer {
    hits = List.copyOf(hits);
  }

  /**
   * One document.
   *
   * @param channels the raw score of each channel
   */
  record Hit(String id, double score, Map<String, Double> channels) {}

  List<String> ids() {
    return hits.stream().map(Hit::id).toList();
  }

  /** The sessions of the documents, in the order of the first of each. */
  List<String> sessions() {
    return hits.stream().map(hit -> TurnIds.session(hit.id)).distinct().toList();
  }

  double recall(int k) {
    return RankMetrics.recall(ids(), question.gold().keySet(), k);
  }
}
