package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.prompt.PromptBounds;
import dev.caliber.lang.prompt.PromptKind;
import dev.caliber.lang.prompt.PromptReader;
import dev.caliber.lang.prompt.PromptRules;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that prompts made to exhaust their reader get a result soon, on a small stack. */
class PackPromptBoundsTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int SMALL_STACK = 512 << 10;
  private static final String HEAD = "# System\n## PCP\n### User\n";
  private static final String CALL = HEAD + "```tool\n${tools.a.b}\n```\n";

  private static List<Diagnostic> read(String source) {
    return assertTimeoutPreemptively(SOON, () -> onASmallStack(source));
  }

  private static List<Diagnostic> onASmallStack(String source) throws InterruptedException {
    var result = new AtomicReference<List<Diagnostic>>();
    var thread =
        Thread.ofPlatform()
            .name("small-stack")
            .stackSize(SMALL_STACK)
            .start(() -> result.set(diagnostics(source)));
    thread.join();
    assertThat(result.get()).as("the reader died").isNotNull();
    return result.get();
  }

  private static List<Diagnostic> diagnostics(String source) {
    var diagnostics = new Diagnostics("f");
    PromptReader.read(source, PromptRules.strict(PromptKind.AGENT), diagnostics);
    return diagnostics.sorted();
  }

  /** Repeats a piece until the prompt has the greatest length. */
  private static String full(String head, String piece, String tail) {
    int room = PromptBounds.SOURCE - head.length() - tail.length();
    return head + piece.repeat(room / piece.length()) + tail;
  }

  private static final List<String> PIECES =
      List.of(
          "a",
          " ",
          "\n",
          "\r",
          "\t",
          "#",
          "# ",
          "# x\n",
          "### User\n",
          "`",
          "```",
          "```\n",
          "```tool\n",
          "~~~\n",
          ">",
          "> ",
          "> > ",
          "- ",
          "-\n",
          "* a\n",
          "1. ",
          "    ",
          "[",
          "[a]: b\n",
          "[a](",
          "![",
          "*",
          "**a",
          "_a",
          "<",
          "<a>",
          "<!--",
          "<a ",
          "&",
          "$",
          "${",
          "${}",
          "${a}",
          "${INPUT:x}",
          "${INPUT:x} 🐎",
          "${meta.",
          "\\",
          "\ud83d",
          "🐎",
          "\0",
          "|",
          "===\n",
          "---\n",
          "a\n===\n",
          "sk-",
          "sk-a",
          "eyJa.",
          "eyJ-",
          "eyJaaaaaaaaa.eyJ",
          "token=",
          "token=a1b2",
          "password: ",
          "bearer ",
          "a://",
          "a.",
          "a:b@",
          "://:",
          "-----BEGIN A ",
          "[tools.",
          "[tools.a]\n",
          "kind=",
          "tools.a",
          "secret_",
          "SG.",
          "x://a:");

  private static Stream<String> pieces() {
    return PieceSample.of(PIECES);
  }

  @ParameterizedTest
  @DisplayName("PACK-33: large numbers of anything get a result soon")
  @MethodSource("pieces")
  void muchOfAnything(String piece) {
    read(full(HEAD, piece, ""));
  }

  private static final List<String> PAYLOAD_PIECES =
      List.of(
          "[",
          "{",
          "{\"a\":",
          "\"",
          "\"a\",",
          "1",
          "1,",
          "-",
          "\\",
          "\\u",
          "null,",
          "\"${INPUT:x}\",",
          "<a>",
          "<a ",
          "<a b='c'>",
          "<a b='",
          "<",
          "</a>",
          "<!--",
          "<![CDATA[",
          "<!DOCTYPE a [",
          "&a;",
          "&#1;",
          "&amp;",
          "<?a ",
          "a",
          "<a/>",
          "]",
          "}",
          "<a:b>",
          " a='1'");

  private static Stream<String> payloadPieces() {
    return PieceSample.of(PAYLOAD_PIECES);
  }

  @ParameterizedTest
  @DisplayName("PACK-18: large numbers of anything in a payload get a result soon")
  @MethodSource("payloadPieces")
  void muchOfAnythingInAPayload(String piece) {
    for (String head : List.of("json\n", "json\n[", "xml\n", "xml\n<a")) {
      read(full(CALL + "```" + head, piece, "\n```"));
    }
  }

  @ParameterizedTest
  @DisplayName("PACK-18: payloads that are nested too deep give a diagnostic")
  @ValueSource(strings = {"json\n[", "json\n{\"a\":", "xml\n<a>"})
  void deepPayloads(String opening) {
    int line = opening.indexOf('\n') + 1;
    String source =
        CALL
            + "```"
            + opening.substring(0, line)
            + opening.substring(line).repeat(20_000)
            + "\n```\n";
    assertThat(read(source)).extracting(Diagnostic::code).contains(DiagnosticCode.NESTING_TOO_DEEP);
  }
}
