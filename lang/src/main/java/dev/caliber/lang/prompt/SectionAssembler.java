package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.List;

/** Assembles sections from headings, fences and the text between them. */
final class SectionAssembler {
  private final TemplateExtractor templateExtractor;
  private final PromptRules rules;
  private final Diagnostics diagnostics;
  private final HeadingRules headings;
  private final FencedBlockReader blocks;
  private final List<PromptSection> sections = new ArrayList<>();
  private SectionKind kind = SectionKind.BODY;
  private Span start = new Span(1, 1, 1, 1);
  private SectionPartCollector parts = new SectionPartCollector();
  private int textFrom;

  SectionAssembler(
      TemplateExtractor templateExtractor, PromptRules rules, Diagnostics diagnostics) {
    this.templateExtractor = templateExtractor;
    this.rules = rules;
    this.diagnostics = diagnostics;
    this.headings = new HeadingRules(rules, diagnostics);
    this.blocks = new FencedBlockReader(templateExtractor, rules, diagnostics);
  }

  /** Accepts the next heading or fence of the file. */
  void accept(MarkdownDivider markdownDivider) {
    switch (markdownDivider) {
      case MarkdownDivider.HeadingDivider headingDivider ->
          headings
              .acceptHeading(headingDivider)
              .ifPresentOrElse(
                  it -> beginSection(it, headingDivider),
                  () -> acceptUnknownHeading(headingDivider));
      case MarkdownDivider.FenceDivider fenceDivider -> acceptFence(fenceDivider);
    }
  }

  /** Returns the sections at the end of the file. */
  List<PromptSection> finish() {
    addTextUntil(templateExtractor.length());
    closeSection();
    headings.reportMissingHeadings(templateExtractor.end());
    return sections;
  }

  private void beginSection(SectionKind next, MarkdownDivider.HeadingDivider headingDivider) {
    addTextUntil(headingDivider.from());
    closeSection();
    kind = next;
    start = headingDivider.span();
    parts = new SectionPartCollector();
    textFrom = headingDivider.to();
  }

  /** Treats an unknown heading as text, or as an error that is not reported again for the text. */
  private void acceptUnknownHeading(MarkdownDivider.HeadingDivider headingDivider) {
    if (rules.hasStrictHeadings() && !headingDivider.nested()) {
      addTextUntil(headingDivider.from());
      textFrom = headingDivider.to();
    }
  }

  private void closeSection() {
    if (kind != SectionKind.BODY || !parts.isEmpty()) {
      sections.add(new PromptSection(kind, start, parts.finish()));
    }
  }

  private void acceptFence(MarkdownDivider.FenceDivider fenceDivider) {
    if (blocks.isText(fenceDivider)) {
      return;
    }
    addTextUntil(fenceDivider.from());
    textFrom = fenceDivider.to();
    blocks.read(fenceDivider, parts);
    if (!blocks.isAllowedIn(fenceDivider, kind)) {
      reportOutsideUser(fenceDivider);
    }
  }

  private void addTextUntil(int to) {
    templateExtractor.between(textFrom, Math.max(textFrom, to)).ifPresent(this::addText);
  }

  private void addText(Template text) {
    parts.add(new SectionPart.MarkdownText(text));
    if (kind == SectionKind.BODY && rules.hasStrictHeadings()) {
      diagnostics.report(
          DiagnosticCode.TEXT_OUTSIDE_SECTION,
          text.span(),
          "text before the first heading",
          "write '" + SectionKind.SYSTEM.heading() + "' above it");
    }
  }

  private void reportOutsideUser(MarkdownDivider.FenceDivider fenceDivider) {
    diagnostics.report(
        DiagnosticCode.BLOCK_OUTSIDE_USER,
        fenceDivider.span(),
        "this block is before any '" + SectionKind.USER.heading() + "' and belongs to no section",
        "move it below one, or write 'global' behind " + SecretScanner.quote(fenceDivider.word()));
  }
}
