package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
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
}
