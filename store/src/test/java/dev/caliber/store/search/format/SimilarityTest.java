package dev.caliber.store.search.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.kernel.Vectors;
import dev.caliber.store.search.SearchConfig;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class SimilarityTest {

  private static final float[] QUERY = {1, 2, 2};
  private static final List<float[]> OTHERS =
      List.of(new float[] {1, 2, 2}, new float[] {3, 0, 4}, new float[] {-2, -4, -4});

  private static double raw(VectorSimilarity vectorSimilarity, float[] other) {
    float score =
        vectorSimilarity
            .function()
            .compare(
                vectorSimilarity.preparedVector(QUERY).orElseThrow(),
                vectorSimilarity.preparedVector(other).orElseThrow());
    return vectorSimilarity.metricValue(score);
  }

  @Test
  @DisplayName("VEC-02: each metric is one function of the engine whose own value is read back")
  void everyMetricIsItsFormula() {
    for (float[] other : OTHERS) {
      assertThat(raw(VectorSimilarity.COSINE, other))
          .isCloseTo(Vectors.cosine(QUERY, other), within(1e-6));
      assertThat(raw(VectorSimilarity.L2, other))
          .isCloseTo(1 / (1 + distance(other)), within(1e-6));
      assertThat(raw(VectorSimilarity.INNER_PRODUCT, other))
          .isCloseTo(product(other), within(1e-5));
    }
  }

  @Test
  @DisplayName("VEC-02: every metric of the settings has its function")
  void everyMetricHasItsFunction() {
    for (SearchConfig.VectorMetric vectorMetric : SearchConfig.VectorMetric.values()) {
      assertThat(VectorSimilarity.of(vectorMetric).name()).isEqualTo(vectorMetric.name());
    }
  }

  @Test
  void aVectorWithoutADirectionHasNoCosine() {
    assertThat(VectorSimilarity.COSINE.preparedVector(new float[3])).isEmpty();
    assertThat(VectorSimilarity.L2.preparedVector(new float[3])).isPresent();
  }

  private static double distance(float[] other) {
    double squares = 0;
    for (int i = 0; i < other.length; i++) {
      squares += Math.pow(QUERY[i] - other[i], 2);
    }
    return Math.sqrt(squares);
  }

  private static double product(float[] other) {
    double sum = 0;
    for (int i = 0; i < other.length; i++) {
      sum += QUERY[i] * other[i];
    }
    return sum;
  }
}
