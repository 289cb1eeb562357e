package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TokenCountersTest {
  private final TokenCounters counters = Models.counters(ModelsConfig.starter());

  @ParameterizedTest
  @DisplayName("CTX-01: the longest beginning of a model's name chooses the tokenizer")
  @CsvSource({
    "gpt-4o-mini,o200k_base",
    "gpt-4.1,o200k_base",
    "gpt-4-turbo,cl100k_base",
    "gpt-5.1-codex,o200k_base",
    "o3,o200k_base",
    "text-davinci-003,p50k_base",
    "davinci,r50k_base"
  })
  void byModel(String model, String encoding) {
    assertThat(counters.ofModel(model).orElseThrow().name()).isEqualTo(encoding);
  }

  @Test
  @DisplayName("CTX-01: a model or tokenizer that nobody knows has no counter")
  void unknown() {
    assertThat(counters.ofModel("claude-opus")).isEmpty();
    assertThat(counters.named("klingon")).isEmpty();
  }

  @Test
  @DisplayName("CTX-01: counts are the tokenizer's, and special tokens are plain text")
  void counts() {
    TokenCounter counter = counters.named("cl100k_base").orElseThrow();
    assertThat(counter.count("Hello, world!")).isEqualTo(4);
    assertThat(counter.count("<|endoftext|>")).isGreaterThan(1);
    assertThat(counter.count("")).isZero();
  }

  @Test
  @DisplayName("CTX-03: a query that was asked before is not embedded again")
  void queriesAreRemembered() {
    List<String> embedded = new ArrayList<>();
    Embedder remembering = RememberingEmbedder.of(new Listening(embedded), 1);
    Embedding first = remembering.embed(Embedder.Purpose.QUERY, List.of("tea")).getFirst();
    assertThat(remembering.embed(Embedder.Purpose.QUERY, List.of("tea")).getFirst())
        .isSameAs(first);
    remembering.embed(Embedder.Purpose.PASSAGE, List.of("tea"));
    remembering.embed(Embedder.Purpose.QUERY, List.of("milk"));
    remembering.embed(Embedder.Purpose.QUERY, List.of("tea"));
    assertThat(embedded).containsExactly("tea", "tea", "milk", "tea");
    remembering.close();
  }

  /** Says what it was asked for. */
  private record Listening(List<String> embedded) implements Embedder {
    private static final Embedder HASHING = Embedder.hashing(4);

    @Override
    public String model() {
      return HASHING.model();
    }

    @Override
    public int dimensions() {
      return HASHING.dimensions();
    }

    @Override
    public String prefix(Purpose purpose) {
      return HASHING.prefix(purpose);
    }

    @Override
    public List<Embedding> embed(Purpose purpose, List<String> texts) {
      embedded.addAll(texts);
      return HASHING.embed(purpose, texts);
    }

    @Override
    public void close() {
      HASHING.close();
    }
  }
}
