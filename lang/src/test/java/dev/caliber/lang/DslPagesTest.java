package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of generated files, which {@code -Dgolden.write=true} writes. */
class DslPagesTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNull(System.getProperty("caliber.root")));

  @Test
  void theDiagnosticsPageIsUpToDate() throws IOException {
    same(ROOT.resolve("docs/diagnostics.md"), DiagnosticsPageGenerator.text());
  }

  @Test
  void theGrammarOfEditorsIsUpToDate() throws IOException {
    same(
        ROOT.resolve("lang/src/main/resources/dev/caliber/lang/caliber.tmLanguage.json"),
        TextMateGrammar.json());
  }

  @ParameterizedTest
  @EnumSource(DiagnosticCode.class)
  void everyCodeIsExplained(DiagnosticCode code) {
    assertThat(code.description()).endsWith(".").hasSizeGreaterThan(20);
    assertThat(DiagnosticsPageGenerator.text()).contains("\n## " + code + "\n");
  }

  private static void same(Path file, String text) throws IOException {
    if (Boolean.getBoolean("golden.write")) {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, text);
    }
    assertThat(GoldenFiles.text(file))
        .as("%s is out of date: run the test with -Dgolden.write=true", file.getFileName())
        .isEqualTo(text);
  }
}
