package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Text;
import java.util.Collection;

/** Reports unknown names, unless a part of the section that may define them could not be read. */
final class ReferenceDiagnostics {
  private final PackDocument packDocument;
  private final Diagnostics diagnostics;

  ReferenceDiagnostics(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    this.packDocument = packDocument;
    this.diagnostics = packDiagnostics.inManifest();
  }

  /** Reports a reference to a section that has no such entry. */
  void requireKnown(String section, String what, Text reference) {
    requireKnown(section, what, reference, packDocument.section(section).keySet());
  }

  void requireKnown(String section, String what, Text reference, Collection<String> known) {
    String name = PackDocument.sectionEntryName(section, reference);
    if (!packDocument.isDamaged(section) && !known.contains(name)) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          reference.span(),
          "unknown " + what + " " + DiagnosticText.quote(name),
          () -> DiagnosticText.suggest(what, name, known));
    }
  }
}
