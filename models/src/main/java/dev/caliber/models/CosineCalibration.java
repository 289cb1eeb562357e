package dev.caliber.models;

import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Measurement of a model's mean cosine between unrelated texts.
 *
 * <p>For unit vectors the sum over all ordered pairs is {@code |Σv|² − n}: one addition per text
 * instead of one cosine per pair.
 */
final class CosineCalibration {

  private static final String SENTENCES = "unrelated.txt";

  private CosineCalibration() {}

  static double meanCosine(Embedder embedder) {
    List<String> texts = sentences();
    var sum = new float[embedder.dimensions()];
    for (Embedding embedding : embedder.embed(EmbeddingPurpose.PASSAGE, texts)) {
      UnitVectors.addWeighted(sum, UnitVectors.normalized(vector(embedding)), 1);
    }
    double n = texts.size();
    return (UnitVectors.sumOfSquares(sum) - n) / (n * (n - 1));
  }

  private static float[] vector(Embedding embedding) {
    return switch (embedding) {
      case Embedding.Vector(float[] values) -> values;
      case Embedding.Failure failure -> throw ModelsException.notMeasured(failure);
    };
  }

  /** Returns the fixed set: one sentence per line, each about another subject. */
  static List<String> sentences() {
    try (InputStream in =
        Objects.requireNonNull(CosineCalibration.class.getResourceAsStream(SENTENCES), SENTENCES)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
