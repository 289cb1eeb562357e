package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.GrammarVersion;

/** The version of the grammar is one that this compiler knows. */
final class SupportedVersion implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    var version = program.ast().version();
    if (!GrammarVersion.SUPPORTED.contains(version.value())) {
      diagnostics.report(
          DiagnosticCode.UNSUPPORTED_VERSION,
          version.span(),
          "unsupported version " + Wording.quote(version.value()) + " of the grammar",
          "supported: " + Wording.list(GrammarVersion.SUPPORTED));
    }
  }
}
