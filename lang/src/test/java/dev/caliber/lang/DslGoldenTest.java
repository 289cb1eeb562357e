package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Comment;
import dev.caliber.lang.syntax.ParsedSource;
import dev.caliber.lang.syntax.Parser;
import dev.caliber.lang.syntax.Printer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every case in resources/golden. With {@code -Dgolden.write=true} the expected files are
 * written instead of compared; review the difference.
 */
class DslGoldenTest {
  private static final boolean WRITE = Boolean.getBoolean("golden.write");

  static List<GoldenCase> cases() {
    return GoldenCase.all();
  }

  static Stream<GoldenCase> validCases() {
    return cases().stream().filter(GoldenCase::isValid);
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName("DSL-15: a source gives exactly its diagnostics, in order and position")
  void saysExactlyThat(GoldenCase golden) throws IOException {
    var result = golden.compile();
    String found = GoldenCase.describe(result);
    if (WRITE) {
      Files.writeString(golden.expectedFile(), found);
    }
    assertThat(found).isEqualTo(golden.expected());
    assertThat(result instanceof CompileResult.CompileSuccess).isEqualTo(golden.isValid());
  }

  /** Returns cases that are valid, or have semantic errors only. */
  static Stream<GoldenCase> wellFormedCases() {
    return cases().stream().filter(golden -> isWellFormed(golden.source()));
  }

  private static boolean isWellFormed(String source) {
    var diagnostics = new Diagnostics("golden");
    Parser.parse(source, diagnostics);
    return diagnostics.size() == 0;
  }

  @ParameterizedTest
  @MethodSource("wellFormedCases")
  @DisplayName("DSL-17: printing a tree and parsing it again gives an equal tree")
  void printedTreesParseToThemselves(GoldenCase golden) {
    var ast = parse(golden.source()).ast();
    String printed = Printer.print(ast);
    assertThat(parse(printed).ast()).isEqualTo(ast);
    assertThat(Printer.print(parse(printed).ast())).isEqualTo(printed);
  }

  @ParameterizedTest
  @MethodSource("wellFormedCases")
  @DisplayName("DSL-17: formatting twice changes nothing, and no comment is lost")
  void formattingIsStable(GoldenCase golden) {
    String once = formatted(golden.source());
    assertThat(formatted(once)).isEqualTo(once);
    assertThat(parse(once).ast()).isEqualTo(parse(golden.source()).ast());
    assertThat(comments(once)).isEqualTo(comments(golden.source()));
  }

  @ParameterizedTest
  @MethodSource("validCases")
  @DisplayName(
      "DSL-16: a compiled configuration survives JSON, and the same source gives the same bytes")
  void configurationsSurviveJson(GoldenCase golden) {
    var config = compiled(golden.compile());
    byte[] json = Json.bytes(config);
    assertThat(Json.read(json, CompiledConfig.class)).isEqualTo(config);
    assertThat(Json.bytes(Json.read(json, CompiledConfig.class))).isEqualTo(json);
    assertThat(Json.bytes(compiled(golden.compile()))).isEqualTo(json);
    assertThat(compiled(golden.compile()).hash()).isEqualTo(config.hash());
  }

  @Test
  @DisplayName("DSL-15: there are at least 150 cases, and every code has one")
  void everyCodeHasACase() {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(150);
    var shown =
        Stream.concat(
                cases().stream().map(GoldenCase::expected),
                Stream.concat(PromptCase.all().stream().map(PromptCase::expected), packs()))
            .toList();
    assertThat(Arrays.stream(DiagnosticCode.values()))
        .allSatisfy(
            code -> assertThat(shown).anyMatch(expected -> expected.contains(" " + code + " ")));
  }

  /** Returns the expected files of packs; their test is beside the composer. */
  private static Stream<String> packs() {
    return GoldenFiles.cases("packs", ".pack", (_, _, expected) -> GoldenFiles.text(expected))
        .stream();
  }

  private static ParsedSource parse(String source) {
    var diagnostics = new Diagnostics("case.caliber");
    var parsedSource = Parser.parse(source, diagnostics);
    assertThat(diagnostics.sorted()).isEmpty();
    return parsedSource;
  }

  private static List<String> comments(String source) {
    return parse(source).comments().stream().map(Comment::text).toList();
  }

  private static String formatted(String source) {
    return ((Formatter.FormatSuccess) Formatter.format("case.caliber", source)).source();
  }

  private static CompiledConfig compiled(CompileResult result) {
    return ((CompileResult.CompileSuccess) result).config();
  }
}
