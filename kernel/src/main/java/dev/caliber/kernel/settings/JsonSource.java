package dev.caliber.kernel.settings;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/**
 * Reads settings that are written in JSON: objects are the tables, and a null is as if the key were
 * not there. The depth is bounded by {@link Json}.
 */
final class JsonSource {
  private static final String LANGUAGE = "json";

  private final JsonParser parser;
  private final Source source;

  private JsonSource(JsonParser parser, Source source) {
    this.parser = parser;
    this.source = source;
  }

  static Source parse(String name, String json) {
    Source source = Source.empty(name, json);
    try (JsonParser parser = Json.mapper().createParser(json)) {
      new JsonSource(parser, source).read(json);
    } catch (JacksonException e) {
      reportMalformed(source, e.getLocation(), json);
    }
    return source;
  }

  private void read(String json) {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      reportMalformed(source, parser.currentTokenLocation(), json);
      return;
    }
    members(List.of());
    if (parser.nextToken() != null) {
      reportMalformed(source, parser.currentTokenLocation(), json);
    }
  }

  private static void reportMalformed(
      Source source, @Nullable TokenStreamLocation location, String json) {
    Place place = place(location);
    source
        .syntaxErrors()
        .add(
            new Problem(
                place,
                KernelException.invalidSetting(source.at(place), LANGUAGE, "one object", json)));
  }

  private static Place place(@Nullable TokenStreamLocation location) {
    return location == null || location.getLineNr() < 1
        ? Place.START
        : new Place(location.getLineNr(), Math.max(1, location.getColumnNr()));
  }

  private void members(List<String> path) {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var inner = new ArrayList<>(path);
      inner.add(parser.currentName());
      Place place = place(parser.currentTokenLocation());
      parser.nextToken();
      member(inner, Toml.joinKeyPath(inner), place);
    }
  }

  private void member(List<String> path, String dotted, Place place) {
    if (source.values().containsKey(dotted) || source.tables().containsKey(dotted)) {
      source.reportSyntax(place, LANGUAGE, dotted + " is there twice");
    }
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      source.tables().put(dotted, place);
      members(path);
    } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
      source.values().put(dotted, new Source.Value(value(), place));
    }
  }

  private Object value() {
    return switch (parser.currentToken()) {
      case START_ARRAY -> items();
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> whole(parser.getNumberValue());
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      default -> {
        parser.skipChildren();
        yield JsonToken.START_OBJECT;
      }
    };
  }

  private static Number whole(Number number) {
    return number instanceof Integer small ? (Number) small.longValue() : number;
  }

  private List<Object> items() {
    var items = new ArrayList<Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value());
    }
    return items;
  }
}
