package dev.caliber.store.search;

/**
 * What was measured of a model, once.
 *
 * @param baseline the mean cosine of unrelated texts (HNSW-08)
 */
public record EmbeddingModel(String model, int dimensions, double baseline) {

  /** From 0 for unrelated texts to 1 for equal ones. */
  public double calibrated(double cosine) {
    return Math.max(0, (cosine - baseline) / (1 - baseline));
  }
}
