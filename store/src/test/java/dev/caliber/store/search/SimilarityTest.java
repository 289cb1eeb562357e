package dev.caliber.store.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.kernel.Vectors;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class SimilarityTest {

  private static final float[] QUERY = {1, 2, 2};
  private static final List<float[]> OTHERS =
      List.of(new float[] {1, 2, 2}, new float[] {3, 0, 4}, new float[] {-2, -4, -4});

  private static double raw(Similarity similarity, float[] other) {
    float score =
        similarity
            .function()
            .compare(
                similarity.prepared(QUERY).orElseThrow(), similarity.prepared(other).orElseThrow());
    return similarity.raw(score);
  }

  @Test
  @DisplayName("VEC-02: each metric is one function of the engine whose own value is read back")
  void everyMetricIsItsFormula() {
    for (float[] other : OTHERS) {
      assertThat(raw(Similarity.COSINE, other))
          .isCloseTo(Vectors.cosine(QUERY, other), within(1e-6));
      assertThat(raw(Similarity.L2, other)).isCloseTo(1 / (1 + distance(other)), within(1e-6));
      assertThat(raw(Similarity.INNER_PRODUCT, other)).isCloseTo(product(other), within(1e-5));
    }
  }

  @Test
  @DisplayName("VEC-02: every metric of the settings has its function")
  void everyMetricHasItsFunction() {
    for (SearchConfig.Metric metric : SearchConfig.Metric.values()) {
      assertThat(Similarity.of(metric).name()).isEqualTo(metric.name());
    }
  }

  @Test
  void aVectorWithoutADirectionHasNoCosine() {
    assertThat(Similarity.COSINE.prepared(new float[3])).isEmpty();
    assertThat(Similarity.L2.prepared(new float[3])).isPresent();
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
