package dev.caliber.bench;

import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A value in a JSON file and where it is, so that errors can name the place. */
record JsonPlace(Path file, String path, JsonNode node) {

  static JsonPlace file(Path file) {
    try {
      return parse(file, "", Files.readAllBytes(file));
    } catch (IOException e) {
      throw BenchException.unreadable(file, e);
    }
  }

  /** One value for each line that is not blank. */
  static List<JsonPlace> lines(Path file) {
    List<JsonPlace> places = new ArrayList<>();
    List<String> lines = DataFiles.lines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        places.add(parse(file, "line " + (i + 1), lines.get(i).getBytes(StandardCharsets.UTF_8)));
      }
    }
    return places;
  }

  private static JsonPlace parse(Path file, String place, byte[] json) {
    try {
      return new JsonPlace(file, place, Json.mapper().readTree(json));
    } catch (JacksonException e) {
      throw BenchException.badData(
          file, place.isEmpty() ? line(e) : place, "JSON", e.getOriginalMessage());
    }
  }

  private static String line(JacksonException e) {
    return e.getLocation() == null ? "the top" : "line " + e.getLocation().getLineNr();
  }

  boolean has(String key) {
    return node.hasNonNull(key);
  }

  JsonPlace at(String key) {
    if (!has(key)) {
      throw problem("'" + key + "'", node.isObject() ? "none" : kind());
    }
    return inside("." + key, node.get(key));
  }

  /** The element of an array at this place, from 0. */
  JsonPlace element(int number) {
    List<JsonPlace> elements = each();
    if (elements.size() <= number) {
      throw problem("at least %d elements".formatted(number + 1), elements.size() + "");
    }
    return elements.get(number);
  }

  /** The elements of an array. */
  List<JsonPlace> each() {
    if (!node.isArray()) {
      throw problem("an array", kind());
    }
    List<JsonPlace> elements = new ArrayList<>();
    for (JsonNode element : node) {
      elements.add(inside("[" + elements.size() + "]", element));
    }
    return elements;
  }

  /** The names of an object's properties, in their order. */
  List<String> names() {
    if (!node.isObject()) {
      throw problem("an object", kind());
    }
    return List.copyOf(node.propertyNames());
  }

  String text(String key) {
    return at(key).text();
  }

  /** A text or a number, as text. */
  String text() {
    if (!node.isString() && !node.isNumber()) {
      throw problem("a text", kind());
    }
    return node.asString();
  }

  /** The constant of that name, in any case. */
  <E extends Enum<E>> E constant(Class<E> type) {
    return Stream.of(type.getEnumConstants())
        .filter(each -> each.name().equalsIgnoreCase(text()))
        .findFirst()
        .orElseThrow(
            () -> problem("one of " + List.of(type.getEnumConstants()), "'" + text() + "'"));
  }

  Optional<String> optionalText(String key) {
    return has(key) ? Optional.of(text(key)).filter(text -> !text.isBlank()) : Optional.empty();
  }

  BenchException problem(String wanted, String found) {
    return BenchException.badData(file, path.isEmpty() ? "the top" : path, wanted, found);
  }

  private String kind() {
    return node.isMissingNode()
        ? "nothing"
        : node.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
  }

  private JsonPlace inside(String step, JsonNode value) {
    return new JsonPlace(file, path + step, value);
  }
}
