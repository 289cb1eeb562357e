package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that sources made to exhaust a compiler get a result soon, on a small stack. */
class DslBoundsTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Half of a thread's default; frames of code that is not optimized are large. */
  private static final int SMALL_STACK = 512 << 10;

  private static final int MUCH = 200_000;
  private static final String HEAD =
      "caliber: \"0.1.0\" { memory m { type: meta schema: { a: text } retention: scope }\n";
  private static final String FILTER =
      HEAD + "inject m into context { mode: full priority: 1 max_tokens: 1 filter: ";
  private static final String OPTIONS =
      HEAD + "adapter x { type: sqlite connection: \"x\" options: ";

  private static CompileResult compile(String source) {
    return assertTimeoutPreemptively(SOON, () -> onASmallStack(source));
  }

  private static CompileResult onASmallStack(String source) throws InterruptedException {
    var result = new AtomicReference<CompileResult>();
    var thread =
        Thread.ofPlatform()
            .name("small-stack")
            .stackSize(SMALL_STACK)
            .start(() -> result.set(Compiler.create(Catalogues.product()).compile("b", source)));
    thread.join();
    assertThat(result.get()).as("the compiler died").isNotNull();
    return result.get();
  }

  @ParameterizedTest
  @DisplayName("DSL-18: 100,000 levels of nesting give a diagnostic")
  @CsvSource({"filter, (", "options, {\"a\":", "options, {\"a\": ["})
  void deepNestingIsADiagnostic(String where, String open) {
    String head = where.equals("filter") ? FILTER : OPTIONS;
    var result = compile(head + open.repeat(100_000));
    assertThat(((CompileResult.CompileFailure) result).diagnostics())
        .extracting(Diagnostic::code)
        .contains(DiagnosticCode.NESTING_TOO_DEEP);
  }

  @Test
  @DisplayName("DSL-18: the deepest allowed nesting compiles and prints on a small stack")
  void theDeepestCompiles() {
    String deep = "(a = \"x\" and a = \"y\" or ".repeat(63) + "a = \"z\"" + ")".repeat(63);
    assertThat(compile(FILTER + deep + " } }")).isInstanceOf(CompileResult.CompileSuccess.class);
    String json = "{\"a\":".repeat(64) + "1" + "}".repeat(64);
    assertThat(compile(OPTIONS + json + " } }")).isInstanceOf(CompileResult.CompileSuccess.class);
  }

  private static final List<String> PIECES =
      List.of(
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          "\"",
          "/*",
          "//",
          "#",
          "@",
          "a",
          "a ",
          "1",
          "1 ",
          ".",
          "-",
          "\\",
          "\n",
          "\r\n",
          ",",
          ":",
          "=",
          "memory m {",
          "memory {",
          "inject a into b {",
          "((((]",
          "({",
          "[}",
          "policy p{on turn:[",
          "caliber: \"0.1.0\" {",
          "schema:{",
          "a: b, ",
          "\ud800",
          "🐎");

  private static Stream<String> pieces() {
    return PieceSample.of(PIECES);
  }

  @ParameterizedTest
  @DisplayName("DSL-18: large numbers of anything get a result soon")
  @MethodSource("pieces")
  void muchOfAnything(String piece) {
    int times = MUCH / piece.length();
    compile(piece.repeat(times));
    compile(FILTER + piece.repeat(times));
    compile(HEAD + "policy p { on turn: [ " + piece.repeat(times));
  }

  @Test
  @DisplayName("DSL-18: openers without closers and closers of another kind get a result soon")
  void bracketsThatDoNotMatch() {
    compile(FILTER + "(".repeat(400_000) + "]".repeat(400_000));
    compile(FILTER + "(".repeat(400_000) + "}".repeat(400_000));
    compile("(".repeat(500_000) + "}".repeat(500_000));
  }

  @Test
  @DisplayName("DSL-18: thousands of unknown names among thousands of known ones get a result soon")
  void manyUnknownNames() {
    String memories =
        IntStream.range(0, 8_000)
            .mapToObj(i -> "memory memory_number_" + i + "{parent:memory_nummer_" + i + "}\n")
            .collect(Collectors.joining());
    var result = compile("caliber: \"0.1.0\" {" + memories + "}");
    assertThat(((CompileResult.CompileFailure) result).diagnostics())
        .hasSize(1001)
        .extracting(Diagnostic::code)
        .contains(DiagnosticCode.TOO_MANY_DIAGNOSTICS);
  }

  @Test
  @DisplayName("DSL-18: long unknown names get a result soon, too")
  void longUnknownNames() {
    String end = "_".repeat(230);
    String memories =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "memory a" + i + end + "{parent:b" + i + end + "}\n")
            .collect(Collectors.joining());
    var result = compile("caliber: \"0.1.0\" {" + memories + "}");
    assertThat(((CompileResult.CompileFailure) result).diagnostics())
        .extracting(Diagnostic::code)
        .contains(DiagnosticCode.TOO_MANY_DIAGNOSTICS);
  }

  @Test
  @DisplayName("DSL-18: with any number of warnings, the source compiles")
  void manyWarnings() {
    String policies =
        IntStream.range(0, 1_200)
            .mapToObj(i -> "policy p" + i + " {}\n")
            .collect(Collectors.joining());
    var result = compile("caliber: \"0.1.0\" {" + policies + "}");
    assertThat(((CompileResult.CompileSuccess) result).warnings())
        .hasSize(1001)
        .extracting(Diagnostic::code)
        .contains(DiagnosticCode.TOO_MANY_DIAGNOSTICS);
  }

  @Test
  @DisplayName("DSL-18: a filter of many comparisons over many fields is checked and lowered soon")
  void manyFieldsAndComparisons() {
    String fields =
        IntStream.range(0, 20_000).mapToObj(i -> "f" + i + ":int").collect(Collectors.joining(","));
    String values =
        IntStream.range(0, 20_000).mapToObj(i -> "\"v" + i + "\"").collect(Collectors.joining(","));
    String filter =
        IntStream.range(0, 15_000)
            .mapToObj(i -> "f" + i + "=1 or k=v" + i)
            .collect(Collectors.joining(" or "));
    var result =
        compile(
            "caliber: \"0.1.0\" { memory m { type: meta retention: scope schema: {"
                + fields
                + ", k: enum("
                + values
                + ")} }\ninject m into context { mode: full priority: 1 max_tokens: 1 filter: "
                + filter
                + "}}");
    assertThat(result).isInstanceOf(CompileResult.CompileSuccess.class);
  }

  @Test
  @DisplayName("DSL-18: a long chain of parents is no deep recursion")
  void aLongChainOfParents() {
    String memories =
        IntStream.range(0, 8_000)
            .mapToObj(
                i ->
                    "memory m%d{type:meta schema:{a:text} retention:scope parent:m%d}\n"
                        .formatted(i, i + 1))
            .collect(Collectors.joining());
    var result =
        compile(
            "caliber: \"0.1.0\" {"
                + memories
                + "memory m8000{type:meta schema:{a:text} retention:scope}}");
    assertThat(result).isInstanceOf(CompileResult.CompileSuccess.class);
  }
}
