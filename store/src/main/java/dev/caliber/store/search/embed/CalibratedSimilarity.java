package dev.caliber.store.search.embed;

import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.format.IndexRecipe;

/** Similarity as displayed and compared with thresholds. */
public final class CalibratedSimilarity {

  private CalibratedSimilarity() {}

  /** Calibrates the value where the metric is the cosine; other metrics have no common scale. */
  public static double calibrate(IndexRecipe recipe, EmbeddingModelStatistics model, double raw) {
    return recipe.metric() == SearchConfig.VectorMetric.COSINE ? model.calibrateCosine(raw) : raw;
  }
}
