package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ModelsTest {

  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  @Test
  @DisplayName("MEMV-11: provider 'hash' gives vectors without model or network")
  void stubMode() {
    try (var models = open(ModelsConfig.EmbeddingProvider.HASH)) {
      Embedder embedder = models.embedder("a test");
      assertThat(embedder.embed(EmbeddingPurpose.QUERY, List.of("stub")))
          .hasOnlyElementsOfType(Embedding.Vector.class);
    }
  }

  @Test
  @DisplayName("LLM-06: without a provider only those who need one get PROVIDER_NOT_CONFIGURED")
  void noProvider() {
    try (var models = open(ModelsConfig.EmbeddingProvider.NONE)) {
      assertThat(models.embedder()).isEmpty();
      assertThatThrownBy(() -> models.embedder("dense search"))
          .isInstanceOfSatisfying(
              CaliberException.class,
              e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.PROVIDER_NOT_CONFIGURED))
          .hasMessageContaining("dense search");
    }
  }

  @ParameterizedTest
  @DisplayName("MEMV-12: every provider opens, in real or in stub mode")
  @EnumSource(
      value = ModelsConfig.EmbeddingProvider.class,
      names = {"NONE", "IN_PROCESS"},
      mode = EnumSource.Mode.EXCLUDE)
  void opens(ModelsConfig.EmbeddingProvider embeddingProvider) {
    try (var models = open(embeddingProvider)) {
      assertThat(models.embedder("a test").dimensions()).isPositive();
      assertThat(models.embedder("a test").model()).contains("-").doesNotContain("unset");
    }
  }

  @Test
  @DisplayName("HNSW-08: the calibration of a model is the mean cosine over varied sentences")
  void calibrates() {
    assertThat(CosineCalibration.sentences())
        .hasSizeGreaterThanOrEqualTo(200)
        .doesNotHaveDuplicates();
    Embedder embedder = Embedder.hashing(384);
    var vectors =
        embedder.embed(EmbeddingPurpose.PASSAGE, CosineCalibration.sentences()).stream()
            .map(result -> ((Embedding.Vector) result).values())
            .toList();
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i < vectors.size(); i++) {
      for (int j = 0; j < i; j++) {
        sum += dev.caliber.kernel.Vectors.cosine(vectors.get(i), vectors.get(j));
        pairs++;
      }
    }
    assertThat(Models.meanCosine(embedder)).isCloseTo(sum / pairs, Offset.offset(1e-6));
  }

  private static Models open(ModelsConfig.EmbeddingProvider embeddingProvider) {
    return Models.open(ModelsConfig.starter().withProvider(embeddingProvider), Map.of(), CLOCK);
  }
}
