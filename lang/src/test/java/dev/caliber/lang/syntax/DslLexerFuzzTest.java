package dev.caliber.lang.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.caliber.lang.FuzzSeeds;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jazzer's search for sources that the lexer cannot divide; see {@code ./verify --help}. */
@Tag("fuzz")
class DslLexerFuzzTest {
  static Stream<Arguments> seeds() {
    return FuzzSeeds.sources();
  }

  @MethodSource("seeds")
  @DisplayName("DSL-18: every source is cut into tokens that follow each other, and an end")
  @FuzzTest
  void everySourceIsCut(byte[] bytes) {
    var diagnostics = new Diagnostics("f");
    var lexResult = new Lexer(new String(bytes, StandardCharsets.UTF_8), diagnostics).lex();
    assertThat(lexResult.tokens().getLast().kind()).isEqualTo(TokenKind.END);
    followEachOther(lexResult.tokens().stream().map(Token::span).toList());
    followEachOther(lexResult.comments().stream().map(Comment::span).toList());
    diagnostics.sorted();
  }

  private static void followEachOther(List<Span> spans) {
    for (int i = 1; i < spans.size(); i++) {
      assertThat(spans.get(i).startsBefore(spans.get(i - 1).endPoint())).isFalse();
    }
  }
}
