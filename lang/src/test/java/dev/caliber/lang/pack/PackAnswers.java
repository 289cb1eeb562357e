package dev.caliber.lang.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Severity;
import dev.caliber.lang.syntax.Parser;
import java.nio.charset.StandardCharsets;

/** The laws that every answer of the composer keeps. */
final class PackAnswers {
  private PackAnswers() {}

  static ComposeResult check(PackSource source) {
    var result = Packs.COMPOSER.compose(source);
    switch (result) {
      case ComposeResult.Composed composed -> {
        assertThat(composed.warnings()).allMatch(it -> it.severity() == Severity.WARNING);
        var diagnostics = new Diagnostics("dsl");
        assertThat(Parser.parse(composed.dslSource(), diagnostics).ast()).isEqualTo(composed.ast());
        assertThat(diagnostics.size()).isZero();
        assertThat(Json.read(composed.irJson(), Pack.class)).isEqualTo(composed.ir());
      }
      case ComposeResult.Rejected rejected -> {
        assertThat(rejected.diagnostics()).anyMatch(it -> it.severity() == Severity.ERROR);
        assertThat(rejected.diagnostics()).allSatisfy(it -> isInside(it, source));
        assertThat(rejected.error().message()).isNotBlank();
      }
    }
    return result;
  }

  private static void isInside(Diagnostic diagnostic, PackSource source) {
    String[] lines = text(diagnostic.file(), source).split("\r\n|\r|\n", -1);
    assertThat(diagnostic.span().line()).isLessThanOrEqualTo(lines.length);
    assertThat(diagnostic.span().endLine()).isLessThanOrEqualTo(lines.length);
  }

  /** As a search for secrets reads it, which looks into files that are no text as well. */
  private static String text(String path, PackSource source) {
    return source.bytes(path).map(it -> new String(it, StandardCharsets.UTF_8)).orElse("");
  }
}
