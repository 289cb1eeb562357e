package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Says which section a heading begins, and what is wrong with the headings. */
final class HeadingRules {
  private static final String ORDER =
      SectionKind.headed().stream().map(SectionKind::heading).collect(Collectors.joining(", "));

  private final PromptRules rules;
  private final Diagnostics diagnostics;
  private final Set<SectionKind> kinds = EnumSet.noneOf(SectionKind.class);
  private final List<Seen> seen = new ArrayList<>();

  private record Seen(SectionKind kind, Span span) {}

  HeadingRules(PromptRules rules, Diagnostics diagnostics) {
    this.rules = rules;
    this.diagnostics = diagnostics;
  }

  /** The section that begins with the heading, or none if the heading is text. */
  Optional<SectionKind> take(Piece.Title title) {
    if (!rules.sections()) {
      return Optional.empty();
    }
    if (title.nested()) {
      refuseNested(title);
      return Optional.empty();
    }
    var kind = SectionKind.of(title.level(), title.text());
    return rules.strictMarkdown() ? strictly(title, kind) : kind;
  }

  private void refuseNested(Piece.Title title) {
    if (rules.strictMarkdown() || SectionKind.of(title.level(), title.text()).isPresent()) {
      diagnostics.report(
          DiagnosticCode.MISPLACED_BLOCK,
          title.span(),
          "the heading " + Secrets.quote(title.text()) + " stands in a list or a quote",
          "begin its line with '#'");
    }
  }

  private Optional<SectionKind> strictly(Piece.Title title, Optional<SectionKind> exact) {
    var kind = exact.or(() -> SectionKind.meant(title.text()));
    if (exact.isEmpty()) {
      unknown(title, kind);
    }
    kind.ifPresent(it -> order(it, title.span()));
    return kind;
  }

  private void unknown(Piece.Title title, Optional<SectionKind> meant) {
    String marks = "#".repeat(title.level());
    diagnostics.report(
        DiagnosticCode.UNKNOWN_HEADING,
        title.span(),
        Secrets.quote(marks + " " + title.text()) + " is no heading of an agent's prompt",
        meant.map(it -> "write '" + it.heading() + "'").orElse("known: " + ORDER));
  }

  private void order(SectionKind kind, Span span) {
    boolean again = !kinds.add(kind);
    var last = seen.isEmpty() ? SectionKind.BODY : seen.getLast().kind();
    if (again && kind != SectionKind.USER) {
      diagnostics.report(
          DiagnosticCode.DUPLICATE_HEADING,
          span,
          "'" + kind.heading() + "' stands here again",
          "keep one of the two; only '" + SectionKind.USER.heading() + "' may repeat");
    } else if (kind.compareTo(last) < 0) {
      diagnostics.report(
          DiagnosticCode.HEADING_ORDER,
          span,
          "'" + kind.heading() + "' follows '" + last.heading() + "'",
          "the order is " + ORDER);
    }
    seen.add(new Seen(kind, span));
  }

  /** Reports the headings that are not there, each where it should be. */
  void finish(Span end) {
    if (rules.strictHeadings()) {
      SectionKind.headed().stream()
          .filter(kind -> !kinds.contains(kind))
          .forEach(kind -> missing(kind, end));
    }
  }

  private void missing(SectionKind kind, Span end) {
    var next = seen.stream().filter(it -> it.kind().compareTo(kind) > 0).findFirst();
    diagnostics.report(
        DiagnosticCode.MISSING_HEADING,
        next.map(Seen::span).orElse(end),
        "there is no '" + kind.heading() + "'",
        next.map(it -> "write it before '" + it.kind().heading() + "'")
            .orElse("write it here; the order is " + ORDER));
  }
}
