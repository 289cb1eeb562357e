package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.GrammarVersion;

/** Checks that this compiler supports the version of the grammar. */
final class GrammarVersionCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    var version = semanticModel.ast().version();
    if (!GrammarVersion.SUPPORTED.contains(version.value())) {
      diagnostics.report(
          DiagnosticCode.UNSUPPORTED_VERSION,
          version.span(),
          "unsupported version " + DiagnosticText.quote(version.value()) + " of the grammar",
          "supported: " + DiagnosticText.list(GrammarVersion.SUPPORTED));
    }
  }
}
