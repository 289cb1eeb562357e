package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.SpanLocator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/** Extracts templates from a file, with their references. */
final class TemplateExtractor {
  private final String source;
  private final SourceSpanLocator places;
  private final NavigableMap<Integer, Reference> references;

  private TemplateExtractor(
      String source, SourceSpanLocator places, NavigableMap<Integer, Reference> references) {
    this.source = source;
    this.places = places;
    this.references = references;
  }

  static TemplateExtractor of(String source, SourceSpanLocator places, Diagnostics diagnostics) {
    var references = ReferenceScanner.locate(source, places, diagnostics);
    references.values().forEach(reference -> reportEnvironment(reference, diagnostics));
    return new TemplateExtractor(source, places, references);
  }

  private static void reportEnvironment(Reference reference, Diagnostics diagnostics) {
    if (reference instanceof Reference.EnvironmentReference(_, var span)) {
      diagnostics.report(
          DiagnosticCode.REFERENCE_NOT_ALLOWED,
          span,
          reference.text() + " is in a prompt, which a model reads",
          "refer to the environment in cal.toml only; a value from the caller is ${INPUT:name}");
    }
  }

  List<Reference> references() {
    return List.copyOf(references.values());
  }

  int length() {
    return source.length();
  }

  /** Returns the span of the file's end. */
  Span end() {
    return places.span(source.length(), source.length());
  }

  /** A template, and the positions of its own characters. */
  record TemplateContent(Template template, SpanLocator places) {
    String text() {
      return template.text();
    }
  }

  /** Returns the content of a fence, without white space around it. */
  TemplateContent contentOf(MarkdownDivider.FenceDivider fenceDivider) {
    int from = fenceDivider.lines().inner();
    int to = fenceDivider.lines().innerEnd();
    while (from < to && Character.isWhitespace(source.charAt(from))) {
      from++;
    }
    int offset = from;
    return new TemplateContent(
        cut(from, trimmed(from, to)), (a, b) -> places.span(offset + a, offset + b));
  }

  /** Returns the text between two offsets, without blank lines around it; empty if all is blank. */
  Optional<Template> between(int from, int to) {
    int line = from;
    int at = from;
    while (at < to && Character.isWhitespace(source.charAt(at))) {
      at++;
      line = isLineEnd(source.charAt(at - 1)) ? at : line;
    }
    return at >= to ? Optional.empty() : Optional.of(cut(line, trimmed(at, to)));
  }

  private int trimmed(int from, int to) {
    int end = to;
    while (end > from && Character.isWhitespace(source.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  private Template cut(int from, int to) {
    return new Template(
        source.substring(from, to),
        places.span(from, to),
        List.copyOf(references.subMap(from, to).values()));
  }

  private static boolean isLineEnd(char character) {
    return character == '\n' || character == '\r';
  }
}
