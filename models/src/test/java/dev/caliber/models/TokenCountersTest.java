package dev.caliber.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TokenCountersTest {
  private final TokenCounters counters = Models.tokenCounters(ModelsConfig.starter());

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
    assertThat(counters.forModel(model).orElseThrow().name()).isEqualTo(encoding);
  }

  @Test
  @DisplayName("CTX-01: an unknown model or tokenizer has no counter")
  void unknown() {
    assertThat(counters.forModel("claude-opus")).isEmpty();
    assertThat(counters.byName("klingon")).isEmpty();
  }

  @Test
  @DisplayName("CTX-01: counts are the tokenizer's, and special tokens are plain text")
  void counts() {
    TokenCounter counter = counters.byName("cl100k_base").orElseThrow();
    assertThat(counter.count("Hello, world!")).isEqualTo(4);
    assertThat(counter.count("<|endoftext|>")).isGreaterThan(1);
    assertThat(counter.count("")).isZero();
  }

  @Property(tries = 2000)
  @Label("CTX-01: the counts of a text's parts add up to that of the whole, whatever it holds")
  void partsAddUp(@ForAll("texts") String text, @ForAll("encodings") String encoding) {
    TokenCounter counter = counters.byName(encoding).orElseThrow();
    assertThat(String.join("", counter.parts(text))).isEqualTo(text);
    assertThat(counter.parts(text).stream().mapToInt(counter::count).sum())
        .isEqualTo(counter.count(text));
  }

  @Provide
  Arbitrary<String> encodings() {
    return Arbitraries.of("r50k_base", "p50k_base", "cl100k_base", "o200k_base");
  }

  /** Pieces that tokenizers join, with line breaks between many of them. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "\n",
                "\n",
                "\n",
                "\r\n",
                "\n\n",
                " ",
                "\t",
                "/",
                "</turn>",
                "- [12] user:",
                "'s",
                "...",
                "http://a/b",
                "12345",
                "Größe",
                "東京",
                "\u0301",
                "\u2028",
                "\uD83D\uDE00",
                "word",
                "CamelCase"),
            Arbitraries.strings().ofMaxLength(4))
        .list()
        .ofMaxSize(40)
        .map(pieces -> String.join("", pieces));
  }
}
