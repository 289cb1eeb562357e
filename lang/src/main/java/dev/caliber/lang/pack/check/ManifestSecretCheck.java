package dev.caliber.lang.pack.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.prompt.ReferenceScanner;
import dev.caliber.lang.syntax.TextSpanLocator;

/**
 * Checks that {@code cal.toml}, comments included, names the variables of secrets instead of the
 * secrets.
 */
final class ManifestSecretCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    ManifestTexts.texts(parsedPack)
        .forEach(manifestText -> check(manifestText, packDiagnostics.inManifest()));
    parsedPack
        .source()
        .text(PackSource.MANIFEST)
        .ifPresent(text -> SecretScanner.reportUnreported(text, packDiagnostics.inManifest()));
  }

  private static void check(ManifestTexts.ManifestText manifestText, Diagnostics diagnostics) {
    var textNode = manifestText.text();
    boolean seen =
        SecretScanner.report(textNode.value(), new TextSpanLocator(textNode), diagnostics);
    if (!seen
        && isNamedSecret(manifestText)
        && !ReferenceScanner.isOnlyReferences(textNode.value())) {
      diagnostics.report(
          DiagnosticCode.RAW_SECRET,
          textNode.span(),
          "'" + manifestText.key() + "' contains a secret",
          "write ${ENV:NAME}, with the name of the variable that holds it");
    }
  }

  private static boolean isNamedSecret(ManifestTexts.ManifestText manifestText) {
    return manifestText.isPrivate() && SecretScanner.isSecretName(manifestText.key());
  }
}
