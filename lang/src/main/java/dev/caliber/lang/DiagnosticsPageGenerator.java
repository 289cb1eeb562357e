package dev.caliber.lang;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The page that explains every diagnostic: {@code docs/diagnostics.md}. */
public final class DiagnosticsPageGenerator {
  private static final String HEAD =
      """
      # Diagnostics of the compiler

      Generated from the codes of the configuration language; a test fails when this page is out of date. A diagnostic
      says what is wrong, where (columns count code points, from 1), and what would be right. An error keeps a
      configuration from being used, a warning does not. The last line of a section is the form of the error in the API.
      """;

  private DiagnosticsPageGenerator() {}

  /** Returns the text of the page. */
  public static String text() {
    return HEAD
        + Arrays.stream(DiagnosticCode.values())
            .map(DiagnosticsPageGenerator::section)
            .collect(Collectors.joining());
  }

  private static String section(DiagnosticCode code) {
    return "\n## "
        + code
        + "\n\n"
        + code.description()
        + "\n\n"
        + code.severity().word()
        + ", `"
        + code.error()
        + "`\n";
  }
}
