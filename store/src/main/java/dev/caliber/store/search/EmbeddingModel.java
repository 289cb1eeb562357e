package dev.caliber.store.search;

/**
 * What was measured of a model, once.
 *
 * @param baseline the mean cosine of unrelated texts (HNSW-08)
 * @param questions the mean vector of questions about anything
 * @param passages the mean vector of texts about anything
 */
@SuppressWarnings("ArrayRecordComponent") // two models are never compared
public record EmbeddingModel(
    String model, int dimensions, double baseline, float[] questions, float[] passages) {

  /** A model that an earlier version measured has no mean vectors. */
  public EmbeddingModel {
    questions = questions == null ? new float[0] : questions;
    passages = passages == null ? new float[0] : passages;
  }

  /** Whether everything was measured, with vectors of this length. */
  boolean fits(int length) {
    return dimensions == length && questions.length == length && passages.length == length;
  }

  /** From 0 for unrelated texts to 1 for equal ones. */
  public double calibrated(double cosine) {
    return Math.max(0, (cosine - baseline) / (1 - baseline));
  }
}
