package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.Collection;

/** Reports unknown names, unless a part of the section that may define them could not be read. */
final class ReferenceDiagnostics {
  private final ParsedPack parsedPack;
  private final Diagnostics diagnostics;

  ReferenceDiagnostics(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    this.parsedPack = parsedPack;
    this.diagnostics = packDiagnostics.inManifest();
  }

  /** Reports a reference to a section that has no such entry. */
  void requireKnown(String section, String what, TextNode reference) {
    requireKnown(section, what, reference, parsedPack.section(section).keySet());
  }

  void requireKnown(String section, String what, TextNode reference, Collection<String> known) {
    String name = ParsedPack.sectionEntryName(section, reference);
    if (!parsedPack.isDamaged(section) && !known.contains(name)) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          reference.span(),
          "unknown " + what + " " + DiagnosticText.quote(name),
          () -> DiagnosticText.suggest(what, name, known));
    }
  }
}
