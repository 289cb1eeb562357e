package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.prompt.ParsedPrompt;
import dev.caliber.lang.prompt.Reference;
import java.util.Map;

/** Checks that references in prompts to values of the pack resolve. */
final class PromptReferenceCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var referenceTargets = new ReferenceTargets(parsedPack);
    check(parsedPack.prompts().agents(), referenceTargets, packDiagnostics);
    check(parsedPack.prompts().tools(), referenceTargets, packDiagnostics);
  }

  private static void check(
      Map<String, ParsedPrompt> prompts,
      ReferenceTargets referenceTargets,
      PackDiagnostics packDiagnostics) {
    prompts.forEach(
        (path, parsedPrompt) ->
            parsedPrompt.references().stream()
                .filter(Reference.SettingReference.class::isInstance)
                .map(Reference.SettingReference.class::cast)
                .forEach(
                    settingReference ->
                        referenceTargets.require(settingReference, packDiagnostics.inFile(path))));
  }
}
