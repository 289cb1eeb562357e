package dev.caliber.lang.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticSeverity;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.Packs;
import dev.caliber.lang.syntax.Parser;
import java.nio.charset.StandardCharsets;

/** Laws of every result of the composer. */
public final class PackAnswers {
  private PackAnswers() {}

  public static ComposeResult check(PackSource source) {
    var result = Packs.COMPOSER.compose(source);
    switch (result) {
      case ComposeResult.ComposeSuccess composeSuccess -> {
        assertThat(composeSuccess.warnings())
            .allMatch(it -> it.severity() == DiagnosticSeverity.WARNING);
        var diagnostics = new Diagnostics("dsl");
        assertThat(Parser.parse(composeSuccess.dslSource(), diagnostics).ast())
            .isEqualTo(composeSuccess.ast());
        assertThat(diagnostics.size()).isZero();
        assertThat(Json.read(composeSuccess.irJson(), Pack.class)).isEqualTo(composeSuccess.ir());
      }
      case ComposeResult.ComposeFailure composeFailure -> {
        assertThat(composeFailure.diagnostics())
            .anyMatch(it -> it.severity() == DiagnosticSeverity.ERROR);
        assertThat(composeFailure.diagnostics()).allSatisfy(it -> isInside(it, source));
        assertThat(composeFailure.error().message()).isNotBlank();
      }
    }
    return result;
  }

  private static void isInside(Diagnostic diagnostic, PackSource source) {
    String[] lines = text(diagnostic.file(), source).split("\r\n|\r|\n", -1);
    assertThat(diagnostic.span().line()).isLessThanOrEqualTo(lines.length);
    assertThat(diagnostic.span().endLine()).isLessThanOrEqualTo(lines.length);
  }

  /** Returns a file's text as the search for secrets reads it. */
  private static String text(String path, PackSource source) {
    return source.bytes(path).map(it -> new String(it, StandardCharsets.UTF_8)).orElse("");
  }
}
