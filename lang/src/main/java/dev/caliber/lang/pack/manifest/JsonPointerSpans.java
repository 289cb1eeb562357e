package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.Json;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.diagnostic.Span;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Spans of the values of a JSON document, by their JSON pointers. */
public final class JsonPointerSpans {
  private static final Span START = new Span(1, 1, 1, 1);

  private final Map<String, Span> places = new HashMap<>();

  public JsonPointerSpans(String text) {
    var source = new SourceSpanLocator(text);
    try (var parser = Json.mapper().createParser(text)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token != JsonToken.PROPERTY_NAME && !token.isStructEnd()) {
          places.put(
              parser.streamReadContext().pathAsPointer().toString(), currentSpan(parser, source));
        }
      }
    }
  }

  private static Span currentSpan(JsonParser parser, SourceSpanLocator source) {
    int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
    parser.getString();
    int end = Math.toIntExact(parser.currentLocation().getCharOffset());
    return source.span(start, Math.max(start, end));
  }

  /** Returns the span of a value; for a missing one, the start. */
  public Span spanOf(String pointer) {
    return places.getOrDefault(pointer, START);
  }
}
