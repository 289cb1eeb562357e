package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Text;
import java.util.Collection;

/** How rules say that a name means nothing. What was lost may be meant. */
final class Referring {
  private final Document document;
  private final Diagnostics diagnostics;

  Referring(Document document, Findings findings) {
    this.document = document;
    this.diagnostics = findings.inManifest();
  }

  /** Reports a reference to a section that has no such entry. */
  void require(String section, String what, Text reference) {
    require(section, what, reference, document.section(section).keySet());
  }

  void require(String section, String what, Text reference, Collection<String> known) {
    String name = Document.name(section, reference);
    if (!document.isLost(section) && !known.contains(name)) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          reference.span(),
          "unknown " + what + " " + Wording.quote(name),
          () -> Wording.suggest(what, name, known));
    }
  }
}
