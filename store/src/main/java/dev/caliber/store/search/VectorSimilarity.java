package dev.caliber.store.search;

import java.util.Optional;
import org.apache.lucene.index.VectorSimilarityFunction;

/** Conversion between a metric and the similarity that Lucene computes. */
enum VectorSimilarity {
  COSINE(VectorSimilarityFunction.DOT_PRODUCT) {
    @Override
    Optional<float[]> preparedVector(float[] vector) {
      return unit(vector);
    }

    @Override
    double metricValue(float score) {
      return 2.0 * score - 1;
    }
  },
  L2(VectorSimilarityFunction.EUCLIDEAN) {
    @Override
    double metricValue(float score) {
      return 1 / (1 + Math.sqrt(Math.max(0, 1.0 / score - 1)));
    }
  },
  INNER_PRODUCT(VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT) {
    @Override
    double metricValue(float score) {
      return score < 1 ? 1 - 1.0 / score : score - 1.0;
    }
  };

  private final VectorSimilarityFunction function;

  VectorSimilarity(VectorSimilarityFunction function) {
    this.function = function;
  }

  static VectorSimilarity of(SearchConfig.VectorMetric vectorMetric) {
    return valueOf(vectorMetric.name());
  }

  VectorSimilarityFunction function() {
    return function;
  }

  /** Returns the metric's value (J-44): the cosine, 1 / (1 + distance), or the product. */
  abstract double metricValue(float score);

  /** Returns the vector as it is indexed and searched for; empty if it cannot be compared. */
  Optional<float[]> preparedVector(float[] vector) {
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
