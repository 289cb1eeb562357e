package dev.caliber.store.search;

/** Similarity as it is shown and compared with thresholds. */
final class Similar {

  private Similar() {}

  /** Calibrated where the metric is the cosine; other metrics have no common scale. */
  static double calibrated(IndexRecipe recipe, EmbeddingModel model, double raw) {
    return recipe.metric() == SearchConfig.Metric.COSINE ? model.calibrated(raw) : raw;
  }
}
