package dev.caliber.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextPatternTest {

  @Test
  @DisplayName("DSL-12: an expression matches the whole text")
  void matches() {
    assertThat(TextPattern.of("a.*b").matches("a and b")).isTrue();
    assertThat(TextPattern.of("a.*b").matches("a and b!")).isFalse();
  }

  @Test
  @DisplayName("DSL-12: an expression with exponential backtracking elsewhere is matched at once")
  void isLinear() {
    assertThat(TextPattern.of("(a+)+b").matches("a".repeat(100_000))).isFalse();
    assertThat(TextPattern.of("(x|y)*").matches("xy".repeat(100_000))).isTrue();
  }

  @ParameterizedTest
  @DisplayName("DSL-12: an invalid or too large expression is refused")
  @ValueSource(strings = {"(", "a{2001}", "((a{100}){100}){100}", "(a)\\1", "a{99999999999}"})
  void refuses(String expression) {
    assertThatThrownBy(() -> TextPattern.of(expression)).isInstanceOf(KernelException.class);
    assertThatThrownBy(() -> TextPattern.of("a".repeat(TextPattern.LONGEST + 1)))
        .isInstanceOf(KernelException.class);
  }
}
