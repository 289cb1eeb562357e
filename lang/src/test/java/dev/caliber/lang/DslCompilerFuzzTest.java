package dev.caliber.lang;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jazzer's search for sources without a result; see {@code ./verify --help}. Without {@code
 * JAZZER_FUZZ=1} it only tries its start inputs: the golden cases.
 */
@Tag("fuzz")
class DslCompilerFuzzTest {
  private static final Compiler COMPILER = Compiler.create(Catalogues.product());

  static Stream<Arguments> seeds() {
    return FuzzSeeds.sources();
  }

  @MethodSource("seeds")
  @DisplayName("DSL-18: no source that coverage leads to breaks the compiler or the formatter")
  @DictionaryEntries({
    "memory m { ",
    "policy p { on turn: [",
    "inject m into context { ",
    "adapter a { ",
    "schema: { ",
    "enum(\"",
    "retention: ",
    "compress_on: ",
    "schedule(\"",
    "prune(m, ",
    "older_than(",
    "below_confidence(",
    "top_k(",
    "relevant(",
    "filter: ",
    " and ",
    " or ",
    "current_trajectory",
    "now()",
    "options: {",
    "// "
  })
  @FuzzTest
  void everySourceIsAnswered(byte[] bytes) {
    String source = new String(bytes, StandardCharsets.UTF_8);
    COMPILER.compile("f", source);
    if (Formatter.format("f", source) instanceof Formatter.FormatSuccess(var once)) {
      Assertions.assertThat(Formatter.format("f", once))
          .isEqualTo(new Formatter.FormatSuccess(once));
    }
  }
}
