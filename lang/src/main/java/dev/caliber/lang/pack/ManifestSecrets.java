package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.prompt.References;
import dev.caliber.lang.syntax.TextPlaces;

/** Secrets come from the environment: {@code cal.toml} names their variables, also in comments. */
final class ManifestSecrets implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    ManifestTexts.of(document).forEach(found -> check(found, findings.inManifest()));
    document
        .source()
        .text(PackSource.MANIFEST)
        .ifPresent(text -> Secrets.reportRest(text, findings.inManifest()));
  }

  private static void check(ManifestTexts.Found found, Diagnostics diagnostics) {
    var text = found.text();
    boolean seen = Secrets.report(text.value(), new TextPlaces(text), diagnostics);
    if (!seen && isNamedSecret(found) && !References.only(text.value())) {
      diagnostics.report(
          DiagnosticCode.RAW_SECRET,
          text.span(),
          "'" + found.key() + "' holds a secret itself",
          "write ${ENV:NAME}, with the name of the variable that holds it");
    }
  }

  private static boolean isNamedSecret(ManifestTexts.Found found) {
    return found.isPrivate() && Secrets.isSecretName(found.key());
  }
}
