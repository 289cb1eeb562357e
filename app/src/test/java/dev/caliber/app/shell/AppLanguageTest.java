package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.pack.DiagnosticPrinter;
import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Json;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import dev.caliber.lang.diagnostic.Span;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of the commands of the configuration language. */
class AppLanguageTest {
  private static final String GOOD =
      """
      caliber: "0.1.0" {
        memory note {
          type: semantic
          schema: {
            note_id: uuid
          }
          retention: persistent
        }
      }
      """;
  private static final String TYPO = GOOD.replace("retention: persistent", "retention: persistant");

  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void open() {
    shell = new Shell(directory);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void aGoodSourceIsQuietAboutIt() throws IOException {
    file("good.caliber", GOOD);
    Ran ran = shell.run("dsl", "check", "good.caliber");
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).isEqualTo("1 source: no errors\n");
  }

  @Test
  void aMistakeIsShownWhereItIs() throws IOException {
    file("typo.caliber", TYPO);
    Ran ran = shell.run("dsl", "check", "typo.caliber");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains(
            " --> typo.caliber:7:16\n",
            "7 |     retention: persistant\n",
            "  |                ^^^^^^^^^^\n",
            "'persistent'")
        .doesNotContain("\u001b");
    assertThat(ran.err()).isEqualTo("1 error, 0 warnings\n");
  }

  @Test
  void programsGetTheSameAsJson() throws IOException {
    file("typo.caliber", TYPO);
    file("good.caliber", GOOD);
    Ran ran = shell.run("dsl", "check", "typo.caliber", "good.caliber", "--json");
    assertThat(ran.code()).isEqualTo(1);
    List<String> lines = ran.out().lines().toList();
    assertThat(lines).hasSize(2);
    JsonNode first = Json.read(lines.getFirst(), JsonNode.class);
    assertThat(first.get("errors").asInt()).isEqualTo(1);
    JsonNode place = first.get("diagnostics").get(0);
    assertThat(place.get("line").asInt()).isEqualTo(7);
    assertThat(place.get("column").asInt()).isEqualTo(16);
    assertThat(place.get("end_column").asInt()).isEqualTo(26);
    assertThat(lines.getLast()).contains("\"errors\":0");
  }

  @Test
  void theStandardInputIsASourceToo() {
    Ran ran = shell.typing(TYPO).run("dsl", "check", "-");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("<stdin>:7:16");
  }

  @Test
  void coloursAppearWhereTheTerminalHasThem() {
    var bytes = new ByteArrayOutputStream();
    var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    var diagnostic =
        new Diagnostic(
            DiagnosticSeverity.WARNING,
            DiagnosticCode.EMPTY_TEXT,
            "f",
            new Span(1, 1, 1, 2),
            "m",
            "s");
    new DiagnosticPrinter(Terminal.of(out, out).withColours()).print(diagnostic, List.of("x"));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("\u001b[33mwarning EMPTY_TEXT\u001b[0m", "\u001b[33m^\u001b[0m");
  }

  @Test
  void formattingReplacesAFileAndKeepsWhoMayReadIt() throws IOException {
    Path file = file("loose.caliber", GOOD.replace("    type", "type"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Ran check = shell.run("dsl", "fmt", "--check", "loose.caliber");
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.out()).isEqualTo("loose.caliber\n");
    assertThat(Files.readString(file)).isNotEqualTo(GOOD);
    assertThat(shell.run("dsl", "fmt", "loose.caliber").code()).isZero();
    assertThat(Files.readString(file)).isEqualTo(GOOD);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(shell.run("dsl", "fmt", "--check", "loose.caliber").code()).isZero();
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void formattingReadsTheStandardInputAndPrints() {
    Ran ran = shell.typing(GOOD.replace("    type", "type")).run("dsl", "fmt", "-");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).isEqualTo(GOOD);
  }

  @Test
  void whatIsNotUnderstoodIsNotFormatted() throws IOException {
    Path file = file("broken.caliber", "caliber: \"0.1.0\" { memory }");
    Ran ran = shell.run("dsl", "fmt", "broken.caliber");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("error ");
    assertThat(Files.readString(file)).isEqualTo("caliber: \"0.1.0\" { memory }");
  }

  @Test
  void whatCannotBeReadIsSaidInOneLine() throws IOException {
    assertThat(shell.run("dsl", "check", "nowhere").code()).isEqualTo(ExitCode.NOT_FOUND.number());
    Files.write(directory.resolve("latin"), new byte[] {(byte) 0xE4});
    Ran ran = shell.run("dsl", "check", "latin");
    assertThat(ran.code()).isEqualTo(ExitCode.INVALID.number());
    assertThat(ran.err()).hasLineCount(1).contains("not UTF-8");
  }

  @Test
  void oneUnreadableSourceLeavesTheOthers() throws IOException {
    Path first = file("first.caliber", GOOD.replace("    type", "type"));
    Path last = file("last.caliber", GOOD.replace("    type", "type"));
    Files.write(directory.resolve("bad.caliber"), new byte[] {(byte) 0xff, 0});
    Ran ran =
        shell.run("dsl", "fmt", "first.caliber", "missing.caliber", "bad.caliber", "last.caliber");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("missing.caliber", "Cannot read ", "bad.caliber:", "2 errors");
    assertThat(first).hasContent(GOOD);
    assertThat(last).hasContent(GOOD);
    Ran check = shell.run("dsl", "check", "missing.caliber", "first.caliber");
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.err()).contains("missing.caliber", "1 error");
  }

  @Test
  void aReadOnlySourceIsNotRewritten() throws IOException {
    String loose = GOOD.replace("    type", "type");
    Path kept = file("kept.caliber", loose);
    Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("r--r--r--"));
    Ran ran = shell.run("dsl", "fmt", "kept.caliber");
    assertThat(ran.code()).isNotZero();
    assertThat(ran.err()).contains("read-only");
    assertThat(kept).hasContent(loose);
  }

  @Test
  void whatIsPipedOutHoldsNoDiagnostics() {
    Ran ran = shell.typing("bad {").run("dsl", "fmt", "-");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("error");
  }

  @Test
  void terminalsObeyNoName() throws IOException {
    file(
        "esc.caliber",
        GOOD.replace("note_id: uuid", "kind: enum(\"a\\u001b[31mb\")")
            .replace(
                "  }\n}",
                "  }\n  inject note into context {\n    mode: full\n    priority: 1\n    max_tokens: 1\n    filter: kind = b\n  }\n}"));
    Ran ran = shell.run("dsl", "check", "esc.caliber");
    assertThat(ran.out() + ran.err())
        .doesNotContain("\u001b")
        .contains("the only value is a\uFFFD[31mb");
  }
}
