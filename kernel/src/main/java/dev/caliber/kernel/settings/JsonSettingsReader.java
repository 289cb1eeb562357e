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
 * Reader of settings in JSON: objects are the tables, and a null counts as a missing key. The depth
 * is bounded by {@link Json}.
 */
final class JsonSettingsReader {
  private static final String LANGUAGE = "json";

  private final JsonParser parser;
  private final SettingsSource settingsSource;

  private JsonSettingsReader(JsonParser parser, SettingsSource settingsSource) {
    this.parser = parser;
    this.settingsSource = settingsSource;
  }

  static SettingsSource parse(String name, String json) {
    SettingsSource settingsSource = SettingsSource.empty(SettingsSource.Kind.FILE, name, json);
    try (JsonParser parser = Json.mapper().createParser(json)) {
      new JsonSettingsReader(parser, settingsSource).read(json);
    } catch (JacksonException e) {
      reportMalformed(settingsSource, e.getLocation(), json);
    }
    return settingsSource;
  }

  private void read(String json) {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      reportMalformed(settingsSource, parser.currentTokenLocation(), json);
      return;
    }
    readMembers(List.of());
    if (parser.nextToken() != null) {
      reportMalformed(settingsSource, parser.currentTokenLocation(), json);
    }
  }

  private static void reportMalformed(
      SettingsSource settingsSource, @Nullable TokenStreamLocation location, String json) {
    FilePosition filePosition = position(location);
    settingsSource
        .syntaxErrors()
        .add(
            new SettingsProblem(
                filePosition,
                KernelException.invalidSetting(
                    settingsSource.locationOf("", filePosition), LANGUAGE, "one object", json)));
  }

  private static FilePosition position(@Nullable TokenStreamLocation location) {
    return location == null || location.getLineNr() < 1
        ? FilePosition.START
        : new FilePosition(location.getLineNr(), Math.max(1, location.getColumnNr()));
  }

  private void readMembers(List<String> path) {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var inner = new ArrayList<>(path);
      inner.add(parser.currentName());
      FilePosition filePosition = position(parser.currentTokenLocation());
      parser.nextToken();
      readMember(inner, Toml.joinKeyPath(inner), filePosition);
    }
  }

  private void readMember(List<String> path, String dotted, FilePosition filePosition) {
    if (settingsSource.values().containsKey(dotted)
        || settingsSource.tables().containsKey(dotted)) {
      settingsSource.reportSyntax(
          filePosition, LANGUAGE, dotted + " is defined twice in this file");
    }
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      settingsSource.tables().put(dotted, filePosition);
      readMembers(path);
    } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
      settingsSource.values().put(dotted, new SettingsSource.SettingsValue(value(), filePosition));
    }
  }

  private Object value() {
    return switch (parser.currentToken()) {
      case START_ARRAY -> items();
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> wholeNumber(parser.getNumberValue());
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      default -> {
        parser.skipChildren();
        yield JsonToken.START_OBJECT;
      }
    };
  }

  private static Number wholeNumber(Number number) {
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
