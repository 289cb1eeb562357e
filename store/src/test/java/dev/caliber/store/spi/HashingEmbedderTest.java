package dev.caliber.store.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Vectors;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HashingEmbedderTest {
  private static final int DIMENSIONS = 64;

  private final Embedder embedder = Embedder.hashing(DIMENSIONS);

  @Test
  @DisplayName("MEMV-11: stub mode derives vectors from hashes, equal for equal texts")
  void equalTextsGiveEqualVectors() {
    assertThat(vector("a cat sat")).isEqualTo(vector("a cat sat")).hasSize(DIMENSIONS);
  }

  @Test
  @DisplayName("MEMV-12: the embedder starts in stub mode with no model and no network")
  void everyTextHasADirection() {
    for (String text : List.of("", "?", "x", "many words and more words")) {
      assertThat(Vectors.cosine(vector(text), vector(text)))
          .isCloseTo(1, org.assertj.core.data.Offset.offset(1e-6));
    }
  }

  @Test
  void textsThatShareWordsLieNearer() {
    float[] cat = vector("the cat sat on the mat");
    assertThat(Vectors.cosine(cat, vector("the cat lay on the mat")))
        .isGreaterThan(Vectors.cosine(cat, vector("quarterly revenue grew")));
  }

  @Test
  @DisplayName("LLM-01: a batch keeps its order")
  void batchesKeepTheirOrder() {
    List<Embedding> batch = embedder.embed(EmbeddingPurpose.PASSAGE, List.of("one", "two"));
    assertThat(((Embedding.Vector) batch.get(1)).values()).isEqualTo(vector("two"));
  }

  @Test
  void theCacheKeyHoldsPrefixAndText() {
    assertThat(embedder.cacheKey(EmbeddingPurpose.QUERY, "one"))
        .isNotEqualTo(embedder.cacheKey(EmbeddingPurpose.QUERY, "two"));
    assertThat(embedder.cacheKey(EmbeddingPurpose.QUERY, "one"))
        .isEqualTo(embedder.cacheKey(EmbeddingPurpose.PASSAGE, "one"));
  }

  @Test
  void dimensionsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> Embedder.hashing(0)).isInstanceOf(KernelException.class);
  }

  private float[] vector(String text) {
    return ((Embedding.Vector) embedder.embed(EmbeddingPurpose.PASSAGE, List.of(text)).getFirst())
        .values();
  }
}
