package dev.caliber.lang.pack;

import dev.caliber.lang.prompt.Prompt;
import dev.caliber.lang.prompt.Reference;
import java.util.Map;

/** References in prompts to values of the pack mean something. */
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
            prompt.references().stream()
                .filter(Reference.Setting.class::isInstance)
                .map(Reference.Setting.class::cast)
                .forEach(setting -> settings.require(setting, findings.in(path))));
  }
}
