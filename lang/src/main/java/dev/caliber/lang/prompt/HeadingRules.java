package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Determines the section that a heading begins, and reports wrong headings. */
final class HeadingRules {
  private static final String ORDER =
      SectionKind.kindsWithHeading().stream()
          .map(SectionKind::heading)
          .collect(Collectors.joining(", "));

  private final PromptRules rules;
  private final Diagnostics diagnostics;
  private final Set<SectionKind> kinds = EnumSet.noneOf(SectionKind.class);
  private final List<SeenHeading> seen = new ArrayList<>();

  private record SeenHeading(SectionKind kind, Span span) {}

  HeadingRules(PromptRules rules, Diagnostics diagnostics) {
    this.rules = rules;
    this.diagnostics = diagnostics;
  }

  /** Returns the section that begins with the heading, or none if the heading is text. */
  Optional<SectionKind> acceptHeading(MarkdownDivider.HeadingDivider headingDivider) {
    if (!rules.hasSections()) {
      return Optional.empty();
    }
    if (headingDivider.nested()) {
      reportNested(headingDivider);
      return Optional.empty();
    }
    var kind = SectionKind.findExact(headingDivider.level(), headingDivider.text());
    return rules.strictMarkdown() ? acceptStrictly(headingDivider, kind) : kind;
  }

  private void reportNested(MarkdownDivider.HeadingDivider headingDivider) {
    if (rules.strictMarkdown()
        || SectionKind.findExact(headingDivider.level(), headingDivider.text()).isPresent()) {
      diagnostics.report(
          DiagnosticCode.MISPLACED_BLOCK,
          headingDivider.span(),
          "the heading " + SecretScanner.quote(headingDivider.text()) + " is in a list or a quote",
          "begin its line with '#'");
    }
  }

  private Optional<SectionKind> acceptStrictly(
      MarkdownDivider.HeadingDivider headingDivider, Optional<SectionKind> exact) {
    var kind = exact.or(() -> SectionKind.findSimilar(headingDivider.text()));
    if (exact.isEmpty()) {
      reportUnknown(headingDivider, kind);
    }
    kind.ifPresent(it -> checkOrder(it, headingDivider.span()));
    return kind;
  }

  private void reportUnknown(
      MarkdownDivider.HeadingDivider headingDivider, Optional<SectionKind> meant) {
    String marks = "#".repeat(headingDivider.level());
    diagnostics.report(
        DiagnosticCode.UNKNOWN_HEADING,
        headingDivider.span(),
        SecretScanner.quote(marks + " " + headingDivider.text())
            + " is not a heading of an agent's prompt",
        meant.map(it -> "write '" + it.heading() + "'").orElse("known: " + ORDER));
  }

  private void checkOrder(SectionKind kind, Span span) {
    boolean again = !kinds.add(kind);
    var last = seen.isEmpty() ? SectionKind.BODY : seen.getLast().kind();
    if (again && kind != SectionKind.USER) {
      diagnostics.report(
          DiagnosticCode.DUPLICATE_HEADING,
          span,
          "'" + kind.heading() + "' occurs again",
          "keep one of the two; only '" + SectionKind.USER.heading() + "' may repeat");
    } else if (kind.compareTo(last) < 0) {
      diagnostics.report(
          DiagnosticCode.HEADING_ORDER,
          span,
          "'" + kind.heading() + "' follows '" + last.heading() + "'",
          "the order is " + ORDER);
    }
    seen.add(new SeenHeading(kind, span));
  }

  /** Reports missing headings, each where it should be. */
  void reportMissingHeadings(Span end) {
    if (rules.hasStrictHeadings()) {
      SectionKind.kindsWithHeading().stream()
          .filter(kind -> !kinds.contains(kind))
          .forEach(kind -> reportMissing(kind, end));
    }
  }

  private void reportMissing(SectionKind kind, Span end) {
    var next = seen.stream().filter(it -> it.kind().compareTo(kind) > 0).findFirst();
    diagnostics.report(
        DiagnosticCode.MISSING_HEADING,
        next.map(SeenHeading::span).orElse(end),
        "missing '" + kind.heading() + "'",
        next.map(it -> "write it before '" + it.kind().heading() + "'")
            .orElse("write it here; the order is " + ORDER));
  }
}
