package dev.caliber.store.search.embed;

/**
 * Measured properties of a model.
 *
 * @param baseline the mean cosine of unrelated texts (HNSW-08)
 * @param questions the mean vector of questions about anything
 * @param passages the mean vector of texts about anything
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EmbeddingModelStatistics(
    String model, int dimensions, double baseline, float[] questions, float[] passages) {

  /** Accepts missing mean vectors: an earlier version measured none. */
  public EmbeddingModelStatistics {
    questions = questions == null ? new float[0] : questions;
    passages = passages == null ? new float[0] : passages;
  }

  /** Returns whether all properties were measured, with vectors of this length. */
  boolean fits(int length) {
    return dimensions == length && questions.length == length && passages.length == length;
  }

  /** Returns the calibrated cosine: 0 for unrelated texts, 1 for equal ones. */
  public double calibrateCosine(double cosine) {
    return Math.max(0, (cosine - baseline) / (1 - baseline));
  }
}
