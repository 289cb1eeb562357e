package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;

/**
 * Reads prompts. Every text gives a prompt: errors are reported and left out. It opens no file and
 * knows no pack: it does not resolve references.
 */
public final class PromptReader {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private PromptReader() {}

  public static ParsedPrompt read(String source, PromptRules rules, Diagnostics diagnostics) {
    if (source.length() > PromptBounds.SOURCE) {
      diagnostics.report(
          DiagnosticCode.SOURCE_TOO_LARGE,
          new Span(1, 1, 1, 1),
          "a prompt of " + source.length() + " characters",
          "at most " + PromptBounds.SOURCE + " characters");
      return new ParsedPrompt(List.of(), List.of());
    }
    return readText(withoutMark(source), rules, diagnostics);
  }

  private static String withoutMark(String source) {
    return source.startsWith(BYTE_ORDER_MARK) ? source.substring(1) : source;
  }

  private static ParsedPrompt readText(String source, PromptRules rules, Diagnostics diagnostics) {
    var places = new SourceSpanLocator(source);
    SecretScanner.report(source, places, diagnostics);
    ToolRegistrationDetector.report(source, places, diagnostics);
    var templateExtractor = TemplateExtractor.of(source, places, diagnostics);
    var sections = new SectionAssembler(templateExtractor, rules, diagnostics);
    MarkdownOutlineReader.read(source, places, diagnostics).forEach(sections::accept);
    return new ParsedPrompt(sections.finish(), templateExtractor.references());
  }
}
