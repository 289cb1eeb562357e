package dev.caliber.lang.pack.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.ReferenceScanner;
import dev.caliber.lang.syntax.TextSpanLocator;

/**
 * Checks that references in {@code cal.toml} resolve, and that only adapters and providers use
 * variables.
 */
final class ManifestReferenceCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var diagnostics = packDiagnostics.inManifest();
    var referenceTargets = new ReferenceTargets(parsedPack);
    ManifestTexts.texts(parsedPack)
        .forEach(
            manifestText ->
                ReferenceScanner.scan(
                        manifestText.text().value(),
                        new TextSpanLocator(manifestText.text()),
                        diagnostics)
                    .forEach(
                        reference ->
                            check(reference, manifestText, referenceTargets, diagnostics)));
  }

  private static void check(
      Reference reference,
      ManifestTexts.ManifestText manifestText,
      ReferenceTargets referenceTargets,
      Diagnostics diagnostics) {
    switch (reference) {
      case Reference.SettingReference settingReference ->
          referenceTargets.require(settingReference, diagnostics);
      case Reference.InputReference inputReference ->
          diagnostics.report(
              DiagnosticCode.REFERENCE_NOT_ALLOWED,
              inputReference.span(),
              "cal.toml cannot use inputs",
              "inputs are for prompts; write the value itself");
      case Reference.EnvironmentReference variable -> {
        if (!manifestText.isPrivate()) {
          diagnostics.report(
              DiagnosticCode.REFERENCE_NOT_ALLOWED,
              variable.span(),
              "a variable of the environment outside adapters and providers",
              "write the value itself");
        }
      }
    }
  }
}
