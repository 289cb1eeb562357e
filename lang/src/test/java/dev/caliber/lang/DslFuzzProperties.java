package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Property tests of the compiler. {@code ./verify --fuzz-runs N} tries more. */
class DslFuzzProperties {
  private static final Compiler COMPILER = Compiler.create(Catalogues.product());
  private static final List<String> GOLDEN =
      GoldenCase.all().stream()
          .map(GoldenCase::source)
          .filter(source -> source.length() < 5_000)
          .toList();
  private static final List<String> PIECES =
      List.of(
          "caliber",
          ":",
          "\"0.1.0\"",
          "{",
          "}",
          "(",
          ")",
          "[",
          "]",
          ",",
          "memory",
          "policy",
          "adapter",
          "inject",
          "into",
          "on",
          "type",
          "schema",
          "retention",
          "index",
          "m",
          "note",
          "30d",
          "1",
          "0.5",
          "-1",
          "\"",
          "\"x\"",
          "=",
          "!=",
          ">",
          "~",
          "contains",
          "and",
          "or",
          "now()",
          "max",
          "enum",
          "schedule",
          "options",
          "filter",
          "mode",
          "turn",
          "// c\n",
          "\n",
          "\r",
          " ",
          "é",
          "🐎",
          "\\",
          "\0",
          "/*",
          "*/",
          "#",
          "==",
          "1.",
          ".5",
          "3y",
          "A-b");

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("DSL-18: random pieces of the language get a result")
  void piecesOfTheLanguage(@ForAll("soups") List<String> pieces) {
    answers(String.join("", pieces));
    answers("caliber: \"0.1.0\" { memory m { " + String.join(" ", pieces));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("DSL-18: random bytes get a result")
  void randomBytes(@ForAll byte[] bytes) {
    answers(new String(bytes, StandardCharsets.UTF_8));
    answers(new String(bytes, StandardCharsets.UTF_16));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  @Label("DSL-18: configurations with parts cut out, doubled, moved and replaced get a result")
  void mutations(@ForAll long seed) {
    var random = new Random(seed);
    var source = new StringBuilder(GOLDEN.get(random.nextInt(GOLDEN.size())));
    for (int i = random.nextInt(6); i >= 0; i--) {
      mutate(source, random);
    }
    answers(source.toString());
  }

  @Provide
  Arbitrary<List<String>> soups() {
    return Arbitraries.of(PIECES).list().ofMaxSize(60);
  }

  private static void mutate(StringBuilder source, Random random) {
    int from = random.nextInt(source.length() + 1);
    int to = Math.min(source.length(), from + random.nextInt(12));
    String piece =
        switch (random.nextInt(5)) {
          case 0 -> "";
          case 1 -> source.substring(from, to).repeat(2);
          case 2 -> PIECES.get(random.nextInt(PIECES.size()));
          case 3 -> Character.toString(random.nextInt(Character.MAX_CODE_POINT + 1));
          default -> new StringBuilder(source.substring(from, to)).reverse().toString();
        };
    source.replace(from, to, piece);
  }

  /** Checks a result: its positions are in the source, and the formatter's laws hold. */
  private static void answers(String source) {
    switch (COMPILER.compile("f", source)) {
      case CompileResult.CompileSuccess(_, _, var warnings) ->
          assertThat(warnings)
              .allMatch(warning -> warning.severity() == DiagnosticSeverity.WARNING);
      case CompileResult.CompileFailure compileFailure -> {
        assertThat(compileFailure.diagnostics())
            .isNotEmpty()
            .allSatisfy(diagnostic -> isInside(diagnostic, source));
        assertThat(compileFailure.diagnostics())
            .isSortedAccordingTo((a, b) -> a.span().compareTo(b.span()));
        assertThat(compileFailure.error().message()).contains("f:");
      }
    }
    if (Formatter.format("f", source) instanceof Formatter.FormatSuccess(var once)) {
      assertThat(Formatter.format("f", once)).isEqualTo(new Formatter.FormatSuccess(once));
    }
  }

  private static void isInside(Diagnostic diagnostic, String source) {
    String[] lines = source.split("\r\n|\r|\n", -1);
    var span = diagnostic.span();
    assertThat(span.endLine()).isLessThanOrEqualTo(lines.length);
    String line = lines[span.line() - 1];
    assertThat(span.column()).isLessThanOrEqualTo(line.codePointCount(0, line.length()) + 1);
  }
}
