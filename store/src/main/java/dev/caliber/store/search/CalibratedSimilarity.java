package dev.caliber.store.search;

/** Similarity as displayed and compared with thresholds. */
final class CalibratedSimilarity {

  private CalibratedSimilarity() {}

  /** Calibrates the value where the metric is the cosine; other metrics have no common scale. */
  static double calibrated(IndexRecipe recipe, EmbeddingModel model, double raw) {
    return recipe.metric() == SearchConfig.VectorMetric.COSINE ? model.calibrated(raw) : raw;
  }
}
