package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Places;
import dev.caliber.lang.diagnostic.SourcePlaces;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/** Cuts templates out of a file, with the references that stand in them. */
final class Templates {
  private final String source;
  private final SourcePlaces places;
  private final NavigableMap<Integer, Reference> references;

  private Templates(
      String source, SourcePlaces places, NavigableMap<Integer, Reference> references) {
    this.source = source;
    this.places = places;
    this.references = references;
  }

  static Templates of(String source, SourcePlaces places, Diagnostics diagnostics) {
    var references = References.locate(source, places, diagnostics);
    references.values().forEach(reference -> refuseEnvironment(reference, diagnostics));
    return new Templates(source, places, references);
  }

  private static void refuseEnvironment(Reference reference, Diagnostics diagnostics) {
    if (reference instanceof Reference.Environment(_, var span)) {
      diagnostics.report(
          DiagnosticCode.REFERENCE_NOT_ALLOWED,
          span,
          reference.text() + " stands in a prompt, which a model reads",
          "refer to the environment in cal.toml only; what a caller gives is ${INPUT:name}");
    }
  }

  List<Reference> references() {
    return List.copyOf(references.values());
  }

  int length() {
    return source.length();
  }

  /** The place where the file ends. */
  Span end() {
    return places.span(source.length(), source.length());
  }

  /** A template, and the places of its own characters. */
  record Content(Template template, Places places) {
    String text() {
      return template.text();
    }
  }

  /** What stands in a fence, without white space around it. */
  Content inside(Piece.Fence fence) {
    int from = fence.lines().inner();
    int to = fence.lines().innerEnd();
    while (from < to && Character.isWhitespace(source.charAt(from))) {
      from++;
    }
    int offset = from;
    return new Content(cut(from, trimmed(from, to)), (a, b) -> places.span(offset + a, offset + b));
  }

  /** What stands between two offsets, without blank lines around it; nothing if all is blank. */
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
