package dev.caliber.store.search;

/** Similarity as displayed and compared with thresholds. */
final class CalibratedSimilarity {

  private CalibratedSimilarity() {}

  /** Calibrates the value where the metric is the cosine; other metrics have no common scale. */
  static double calibrate(IndexRecipe recipe, EmbeddingModelStatistics model, double raw) {
    return recipe.metric() == SearchConfig.VectorMetric.COSINE ? model.calibrateCosine(raw) : raw;
  }
}
