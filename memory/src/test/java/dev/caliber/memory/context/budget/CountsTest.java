package dev.caliber.memory.context.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.spi.TokenCounter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class CountsTest {
  private static final String LONG = "漢字と🙂 and more of it. ".repeat(50);

  /** Token counter that counts characters and records the texts. */
  private record Asked(String name, List<String> texts) implements TokenCounter {
    Asked(String name) {
      this(name, new ArrayList<>());
    }

    @Override
    public int count(String text) {
      texts.add(text);
      return text.length();
    }
  }

  @Test
  @DisplayName("CTX-01: a text is counted once by each tokenizer, be it short or kept by its hash")
  void countedOnce() {
    TokenCountCache tokenCountCache = new TokenCountCache(10);
    Asked one = new Asked("one");
    Asked other = new Asked("other");
    for (int i = 0; i < 3; i++) {
      for (String text : List.of("tea", LONG, LONG + "!")) {
        assertThat(tokenCountCache.countTokens(one, text)).isEqualTo(text.length());
        assertThat(tokenCountCache.countTokens(other, text)).isEqualTo(text.length());
      }
    }
    assertThat(one.texts).containsExactly("tea", LONG, LONG + "!");
    assertThat(other.texts).containsExactly("tea", LONG, LONG + "!");
    assertThat(tokenCountCache.countTokens(one, "")).isZero();
  }

  @Test
  @DisplayName(
      "CTX-01: no more counts are kept than settings say; the one not used for longest goes")
  void noMoreThanKept() {
    TokenCountCache tokenCountCache = new TokenCountCache(2);
    Asked counter = new Asked("one");
    List.of("a", "b", "a", "c", "a", "b")
        .forEach(text -> tokenCountCache.countTokens(counter, text));
    assertThat(counter.texts).containsExactly("a", "b", "c", "b");
  }
}
