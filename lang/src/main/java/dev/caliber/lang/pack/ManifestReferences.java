package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.References;
import dev.caliber.lang.syntax.TextPlaces;

/** References in {@code cal.toml} mean something, and only adapters and providers see variables. */
final class ManifestReferences implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var diagnostics = findings.inManifest();
    var settings = new Settings(document);
    ManifestTexts.of(document)
        .forEach(
            found ->
                References.scan(found.text().value(), new TextPlaces(found.text()), diagnostics)
                    .forEach(reference -> check(reference, found, settings, diagnostics)));
  }

  private static void check(
      Reference reference, ManifestTexts.Found found, Settings settings, Diagnostics diagnostics) {
    switch (reference) {
      case Reference.Setting setting -> settings.require(setting, diagnostics);
      case Reference.Input input ->
          diagnostics.report(
              DiagnosticCode.REFERENCE_NOT_ALLOWED,
              input.span(),
              "cal.toml has no input",
              "inputs are for prompts; write the value itself");
      case Reference.Environment variable -> {
        if (!found.isPrivate()) {
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
