package dev.caliber.store.search.format;

import dev.caliber.store.search.SearchConfig;
import java.util.Optional;
import org.apache.lucene.index.VectorSimilarityFunction;

/** Conversion between a metric and the similarity that Lucene computes. */
public enum VectorSimilarity {
  COSINE(VectorSimilarityFunction.DOT_PRODUCT) {
    @Override
    public Optional<float[]> preparedVector(float[] vector) {
      return unit(vector);
    }

    @Override
    public double metricValue(float score) {
      return 2.0 * score - 1;
    }
  },
  L2(VectorSimilarityFunction.EUCLIDEAN) {
    @Override
    public double metricValue(float score) {
      return 1 / (1 + Math.sqrt(Math.max(0, 1.0 / score - 1)));
    }
  },
  INNER_PRODUCT(VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT) {
    @Override
    public double metricValue(float score) {
      return score < 1 ? 1 - 1.0 / score : score - 1.0;
    }
  };

  private final VectorSimilarityFunction function;

  VectorSimilarity(VectorSimilarityFunction function) {
    this.function = function;
  }

  public static VectorSimilarity of(SearchConfig.VectorMetric vectorMetric) {
    return valueOf(vectorMetric.name());
  }

  public VectorSimilarityFunction function() {
    return function;
  }

  /** Returns the metric's value (J-44): the cosine, 1 / (1 + distance), or the product. */
  public abstract double metricValue(float score);

  /** Returns the vector as it is indexed and searched for; empty if it cannot be compared. */
  public Optional<float[]> preparedVector(float[] vector) {
    return Double.isFinite(squares(vector)) ? Optional.of(vector) : Optional.empty();
  }

  private static double squares(float[] vector) {
    double squares = 0;
    for (float element : vector) {
      squares += (double) element * element;
    }
    return squares;
  }

  private static Optional<float[]> unit(float[] vector) {
    double length = Math.sqrt(squares(vector));
    if (length == 0 || !Double.isFinite(length)) {
      return Optional.empty();
    }
    float[] unit = new float[vector.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (vector[i] / length);
    }
    return Optional.of(unit);
  }
}
