package dev.caliber.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.prompt.PromptReader;
import dev.caliber.lang.prompt.PromptRules;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.SectionPart;

/** Laws that hold for every text that is read as a prompt. */
final class PromptLaws {
  private PromptLaws() {}

  static void hold(String source, PromptRules rules) {
    var diagnostics = new Diagnostics("f");
    var parsedPrompt = PromptReader.read(source, rules, diagnostics);
    String text = source.startsWith("\uFEFF") ? source.substring(1) : source;
    var lines = text.split("\r\n|\r|\n", -1);
    diagnostics.sorted().forEach(it -> isInside(it.span(), lines));
    parsedPrompt.references().forEach(it -> saysItself(it, lines));
    parsedPrompt.sections().stream()
        .flatMap(promptSection -> promptSection.parts().stream())
        .map(SectionPart::span)
        .forEach(span -> isInside(span, lines));
  }

  private static void isInside(Span span, String[] lines) {
    assertThat(span.endLine()).isLessThanOrEqualTo(lines.length);
    String last = lines[span.endLine() - 1];
    // A line break may end a span: CR and LF count as a column each.
    assertThat(span.endColumn()).isLessThanOrEqualTo(last.codePointCount(0, last.length()) + 2);
  }

  /** Checks that the span of a reference contains exactly its text. */
  private static void saysItself(Reference reference, String[] lines) {
    String line = lines[reference.span().line() - 1];
    int from = line.offsetByCodePoints(0, reference.span().column() - 1);
    assertThat(line.startsWith(reference.text(), from)).isTrue();
  }
}
