package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.prompt.Prompt;
import dev.caliber.lang.prompt.Reference;
import java.util.Map;

/** References in prompts mean something, and none is to the environment. */
final class PromptReferences implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var settings = new Settings(document);
    check(document.prompts().agents(), settings, findings);
    check(document.prompts().tools(), settings, findings);
  }

  private static void check(Map<String, Prompt> prompts, Settings settings, Findings findings) {
    prompts.forEach(
        (path, prompt) ->
            prompt.references().forEach(it -> check(it, settings, findings.in(path))));
  }

  private static void check(Reference reference, Settings settings, Diagnostics diagnostics) {
    switch (reference) {
      case Reference.Setting setting -> settings.require(setting, diagnostics);
      case Reference.Environment variable ->
          diagnostics.report(
              DiagnosticCode.MISPLACED_REFERENCE,
              variable.span(),
              "a prompt sees no variable of the environment",
              "take it as an input, ${INPUT:name}, or leave it out");
      case Reference.Input _ -> {}
    }
  }
}
