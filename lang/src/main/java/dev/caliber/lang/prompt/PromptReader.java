package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.SourcePlaces;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/**
 * Reads prompts. Every text gives a prompt: what is wrong is reported and left out. It opens
 * nothing and knows no pack: what references name, others look up.
 */
public final class PromptReader {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private PromptReader() {}

  public static Prompt read(String source, PromptRules rules, Diagnostics diagnostics) {
    if (source.length() > PromptBounds.SOURCE) {
      diagnostics.report(
          DiagnosticCode.SOURCE_TOO_LARGE,
          new Span(1, 1, 1, 1),
          "a prompt of " + source.length() + " characters",
          "at most " + PromptBounds.SOURCE + " characters");
      return new Prompt(List.of(), List.of());
    }
    return readText(withoutMark(source), rules, diagnostics);
  }

  private static String withoutMark(String source) {
    return source.startsWith(BYTE_ORDER_MARK) ? source.substring(1) : source;
  }

  private static Prompt readText(String source, PromptRules rules, Diagnostics diagnostics) {
    var places = new SourcePlaces(source);
    Secrets.report(source, places, diagnostics);
    Registrations.report(source, places, diagnostics);
    var templates = Templates.of(source, places, diagnostics);
    var sections = new SectionAssembler(templates, rules, diagnostics);
    Outline.of(source, places, diagnostics).forEach(sections::take);
    return new Prompt(sections.finish(), templates.references());
  }
}
