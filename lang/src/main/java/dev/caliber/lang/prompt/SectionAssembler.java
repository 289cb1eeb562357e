package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.List;

/** Makes sections of headings, fences and the text between them. */
final class SectionAssembler {
  private final Templates templates;
  private final PromptRules rules;
  private final Diagnostics diagnostics;
  private final HeadingRules headings;
  private final BlockReader blocks;
  private final List<Section> sections = new ArrayList<>();
  private SectionKind kind = SectionKind.BODY;
  private Span start = new Span(1, 1, 1, 1);
  private SectionParts parts = new SectionParts();
  private int textFrom;

  SectionAssembler(Templates templates, PromptRules rules, Diagnostics diagnostics) {
    this.templates = templates;
    this.rules = rules;
    this.diagnostics = diagnostics;
    this.headings = new HeadingRules(rules, diagnostics);
    this.blocks = new BlockReader(templates, rules, diagnostics);
  }

  /** Takes what comes next in the file. */
  void take(Piece piece) {
    switch (piece) {
      case Piece.Title title ->
          headings.take(title).ifPresentOrElse(it -> begin(it, title), () -> strange(title));
      case Piece.Fence fence -> fence(fence);
    }
  }

  /** The sections, when everything is taken. */
  List<Section> finish() {
    text(templates.length());
    close();
    headings.finish(templates.end());
    return sections;
  }

  private void begin(SectionKind next, Piece.Title title) {
    text(title.from());
    close();
    kind = next;
    start = title.span();
    parts = new SectionParts();
    textFrom = title.to();
  }

  /** A heading that begins nothing is text, or an error that is not one of text as well. */
  private void strange(Piece.Title title) {
    if (rules.strictHeadings() && !title.nested()) {
      text(title.from());
      textFrom = title.to();
    }
  }

  private void close() {
    if (kind != SectionKind.BODY || !parts.isEmpty()) {
      sections.add(new Section(kind, start, parts.finish()));
    }
  }

  private void fence(Piece.Fence fence) {
    if (blocks.isText(fence)) {
      return;
    }
    text(fence.from());
    textFrom = fence.to();
    blocks.read(fence, parts);
    if (!blocks.belongs(fence, kind)) {
      outsideUser(fence);
    }
  }

  private void text(int to) {
    templates.between(textFrom, Math.max(textFrom, to)).ifPresent(this::add);
  }

  private void add(Template text) {
    parts.add(new Part.Text(text));
    if (kind == SectionKind.BODY && rules.strictHeadings()) {
      diagnostics.report(
          DiagnosticCode.TEXT_OUTSIDE_SECTION,
          text.span(),
          "this stands before the first heading",
          "write '" + SectionKind.SYSTEM.heading() + "' above it");
    }
  }

  private void outsideUser(Piece.Fence fence) {
    diagnostics.report(
        DiagnosticCode.BLOCK_OUTSIDE_USER,
        fence.span(),
        "this block stands before any '" + SectionKind.USER.heading() + "' and belongs to none",
        "move it below one, or write 'global' behind " + Secrets.quote(fence.word()));
  }
}
