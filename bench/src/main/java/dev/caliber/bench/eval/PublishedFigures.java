package dev.caliber.bench.eval;

import java.util.List;

/** Published figures to compare with; sources are in docs/evaluation.md. */
final class PublishedFigures {

  private PublishedFigures() {}

  /** Adds LoCoMo's figures to the first, third and fourth table of a conversation format. */
  static List<EvalTable> addLocomoFigures(List<EvalTable> locomo) {
    locomo
        .get(0)
        .addPublished("published: DRAGON, all ten conversations", "56.7", "66.2", "76.7", "82.7")
        .addPublished("reference: BM25, stemmed, these five", "57.8", "65.6", "73.0", "77.5")
        .addPublished("reference: quick hybrid, these five", "68.9", "80.1", "86.9", "91.3");
    locomo
        .get(2)
        .addPublished("published: best of 89 embedding models (8 billion), all ten", "56.5", "70.8")
        .addPublished("reference: BM25, stemmed, these five", "46.9", "59.3")
        .addPublished("reference: quick hybrid, these five", "53.6", "70.5");
    locomo
        .get(3)
        .addPublished("published: BM25 + e5-large-v2, all ten", "75.2", "89.4", "-", "82.9")
        .addPublished("published: bge-large hybrid, all ten", "-", "-", "92.4", "-")
        .addPublished("reference: quick hybrid, all ten", "74.5", "89.0", "94.1", "82.2");
    return locomo;
  }

  static List<EvalTable> addBeamFigures(List<EvalTable> beam) {
    beam.get(0).addPublished("reference: BM25, BEAM 100K", "33.1", "55.9");
    beam.get(2).addPublished("reference: BM25, BEAM 100K", "42.5", "-");
    return beam;
  }

  static List<EvalTable> addCacmFigures(List<EvalTable> cacm) {
    cacm.get(0).addPublished("published: Anserini, BM25", "31.23", "19.42");
    return cacm;
  }
}
