package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.lang.diagnostic.SourcePlaces;
import dev.caliber.lang.diagnostic.Span;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Where the values of a JSON document stand, by their JSON pointers. */
final class JsonPlaces {
  private static final Span START = new Span(1, 1, 1, 1);

  private final Map<String, Span> places = new HashMap<>();

  JsonPlaces(String text) {
    var source = new SourcePlaces(text);
    try (var parser = Json.mapper().createParser(text)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token != JsonToken.PROPERTY_NAME && !token.isStructEnd()) {
          places.put(parser.streamReadContext().pathAsPointer().toString(), place(parser, source));
        }
      }
    }
  }

  private static Span place(JsonParser parser, SourcePlaces source) {
    int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
    parser.getString();
    int end = Math.toIntExact(parser.currentLocation().getCharOffset());
    return source.span(start, Math.max(start, end));
  }

  /** The place of a value; of one that is not there, the start. */
  Span of(String pointer) {
    return places.getOrDefault(pointer, START);
  }
}
