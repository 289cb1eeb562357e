package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.Vectors;
import dev.caliber.models.ModelsConfig.InProcessSettings;
import dev.caliber.models.ModelsConfig.ModelWeights;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the real model, with 32-bit weights unless a test says otherwise. */
final class InProcessEmbedderTest {

  private static final int PARTS_LIMIT = 3;
  private static Embedder embedder;

  @BeforeAll
  static void load() {
    embedder = open(ModelWeights.FULL);
  }

  @AfterAll
  static void close() {
    embedder.close();
    embedder.close();
  }

  private static Embedder open(ModelWeights modelWeights) {
    return InProcessEmbedder.open(
        new InProcessSettings(modelWeights, 2, 100, Duration.ofMinutes(5), PARTS_LIMIT));
  }

  @Test
  @DisplayName("LLM-04: vectors are those of LangChain4j's embedder within 1e-4")
  void equalsLangChain4j() {
    Golden.rows("e5-vectors.tsv")
        .forEach(
            row -> {
              boolean query = row.getFirst().startsWith("query: ");
              EmbeddingPurpose embeddingPurpose =
                  query ? EmbeddingPurpose.QUERY : EmbeddingPurpose.PASSAGE;
              String text = row.getFirst().substring(embedder.prefix(embeddingPurpose).length());
              assertThat(vector(embeddingPurpose, text))
                  .containsExactly(Golden.floats(row.getLast()), Offset.offset(1e-4f));
            });
  }

  @Test
  @DisplayName("LLM-04: related texts are nearer than unrelated ones")
  void relatedIsNearer() {
    float[] query = vector(EmbeddingPurpose.QUERY, "Which animals did her grandmother collect?");
    float[] related =
        vector(EmbeddingPurpose.PASSAGE, "Her grandmother collected porcelain cats from Delft.");
    float[] unrelated =
        vector(EmbeddingPurpose.PASSAGE, "The compiler reports an unused variable.");
    assertThat(Vectors.cosine(query, related))
        .isGreaterThan(Vectors.cosine(query, unrelated) + 0.05);
  }

  @Test
  @DisplayName("LLM-01: one result per text in order, the same alone and in company, bit for bit")
  void batchEqualsSingle() {
    var texts = CosineCalibration.sentences().subList(0, 12);
    List<Embedding> together = embedder.embed(EmbeddingPurpose.PASSAGE, texts);
    for (int i = 0; i < texts.size(); i++) {
      assertThat(values(together.get(i))).isEqualTo(vector(EmbeddingPurpose.PASSAGE, texts.get(i)));
    }
  }

  @Test
  @DisplayName("LLM-04: the same text gives the same vector from many threads at once")
  void isDeterministic() throws InterruptedException {
    float[] wanted = vector(EmbeddingPurpose.QUERY, "the same");
    var threads = new ArrayList<Thread>();
    var found = new java.util.concurrent.ConcurrentLinkedQueue<float[]>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .name("caller-", i)
              .start(() -> found.add(vector(EmbeddingPurpose.QUERY, "the same"))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(found).hasSize(8).allSatisfy(vector -> assertThat(vector).isEqualTo(wanted));
  }

  @Test
  @DisplayName("LLM-04: a query and a passage of the same words differ, by their prefixes")
  void prefixMatters() {
    assertThat(vector(EmbeddingPurpose.QUERY, "the ferry"))
        .isNotEqualTo(vector(EmbeddingPurpose.PASSAGE, "the ferry"));
    assertThat(embedder.prefix(EmbeddingPurpose.QUERY)).isEqualTo("query: ");
    assertThat(embedder.prefix(EmbeddingPurpose.PASSAGE)).isEqualTo("passage: ");
  }

  @Test
  @DisplayName("LLM-04: the end of a text longer than the window still counts")
  void longTextsAreNotCut() {
    String filler = words(600);
    float[] plain = vector(EmbeddingPurpose.PASSAGE, filler);
    float[] withEnd =
        vector(EmbeddingPurpose.PASSAGE, filler + " the ferry to the island leaves at seven");
    assertThat(plain).hasSize(384);
    assertThat(UnitVectors.sumOfSquares(plain)).isCloseTo(1, Offset.offset(1e-5));
    float[] query = vector(EmbeddingPurpose.QUERY, "when does the ferry leave?");
    assertThat(Vectors.cosine(query, withEnd)).isGreaterThan(Vectors.cosine(query, plain));
  }

  @Test
  @DisplayName("LLM-01: empty texts and texts of too many parts fail alone")
  void refusesAlone() {
    var found = embedder.embed(EmbeddingPurpose.PASSAGE, List.of(" ", "fine", words(2000), ""));
    assertThat(code(found.get(0))).isEqualTo(KernelErrorCode.REQUIRED_FIELD_MISSING);
    assertThat(found.get(1)).isInstanceOf(Embedding.Vector.class);
    assertThat(code(found.get(2))).isEqualTo(ModelsErrorCode.TEXT_TOO_LONG);
    assertThat(code(found.get(3))).isEqualTo(KernelErrorCode.REQUIRED_FIELD_MISSING);
    assertThat(embedder.embed(EmbeddingPurpose.QUERY, List.of())).isEmpty();
  }

  @Test
  @DisplayName(
      "HNSW-08: unrelated texts of e5 have a mean cosine between 0.6 and 0.85, always the same")
  void calibrates() {
    double mean = Models.meanCosine(embedder);
    assertThat(mean).isBetween(0.6, 0.85).isEqualTo(Models.meanCosine(embedder));
  }

  @Test
  @DisplayName("J-20: both builds name their vectors differently, and the quantised one is near")
  void quantisedIsNear() {
    try (var quantised = open(ModelWeights.QUANTISED)) {
      assertThat(quantised.model()).isNotEqualTo(embedder.model());
      var texts = CosineCalibration.sentences().subList(0, 4);
      var together = quantised.embed(EmbeddingPurpose.PASSAGE, texts);
      for (int i = 0; i < texts.size(); i++) {
        float[] alone =
            values(quantised.embed(EmbeddingPurpose.PASSAGE, texts.subList(i, i + 1)).getFirst());
        assertThat(values(together.get(i))).isEqualTo(alone);
        assertThat(Vectors.cosine(alone, vector(EmbeddingPurpose.PASSAGE, texts.get(i))))
            .isGreaterThan(0.95);
      }
    }
  }

  @Test
  @DisplayName("LLM-04: it opens before the model is loaded, and the first call waits for it")
  void loadsInTheBackground() {
    try (var opened = open(ModelWeights.QUANTISED)) {
      assertThat(opened.embed(EmbeddingPurpose.QUERY, List.of("early")).getFirst())
          .isInstanceOf(Embedding.Vector.class);
      assertThat(opened.isReady()).isTrue();
    }
  }

  @Test
  @DisplayName("LLM-01: a closed embedder answers with CLOSED")
  void refusesAfterClose() {
    var closed = open(ModelWeights.QUANTISED);
    closed.close();
    assertThatThrownBy(() -> closed.embed(EmbeddingPurpose.QUERY, List.of("x")))
        .isInstanceOfSatisfying(
            CaliberException.class, e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.CLOSED));
  }

  @Test
  @DisplayName("LLM-04: a file that is no model is MODEL_UNAVAILABLE")
  void refusesBrokenModels() {
    assertThatThrownBy(() -> OnnxModel.load("broken", new byte[] {1, 2, 3}))
        .isInstanceOfSatisfying(
            CaliberException.class,
            e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.MODEL_UNAVAILABLE))
        .hasMessageContaining("broken");
  }

  private static float[] vector(EmbeddingPurpose embeddingPurpose, String text) {
    return values(embedder.embed(embeddingPurpose, List.of(text)).getFirst());
  }

  private static float[] values(Embedding embedding) {
    return ((Embedding.Vector) embedding).values();
  }

  private static dev.caliber.kernel.ErrorCode code(Embedding embedding) {
    return ((Embedding.Failure) embedding).code();
  }

  private static String words(int count) {
    return IntStream.range(0, count).mapToObj(_ -> "stone").collect(Collectors.joining(" "));
  }
}
