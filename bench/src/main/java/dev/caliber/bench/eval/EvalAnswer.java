package dev.caliber.bench.eval;

import java.util.List;
import java.util.Map;

/** Hits of a search for a question: the receipt of its figures. */
record EvalAnswer(String corpus, EvalQuestion question, List<EvalHit> hits) {

  EvalAnswer {
    hits = List.copyOf(hits);
  }

  /**
   * One document.
   *
   * @param channels the raw score of each channel
   */
  record EvalHit(String id, double score, Map<String, Double> channels) {}

  List<String> documentIds() {
    return hits.stream().map(EvalHit::id).toList();
  }

  /** Returns the sessions of the documents, in the order of the first of each. */
  List<String> sessions() {
    return hits.stream().map(evalHit -> TurnIds.session(evalHit.id)).distinct().toList();
  }

  double recall(int k) {
    return RankMetrics.recall(documentIds(), question.gold().keySet(), k);
  }
}
