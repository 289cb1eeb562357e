package dev.caliber.bench.harness;

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

/** A value in a JSON file with its position, which errors name. */
public record LocatedJson(Path file, String path, JsonNode node) {

  public static LocatedJson readFile(Path file) {
    try {
      return parse(file, "", Files.readAllBytes(file));
    } catch (IOException e) {
      throw BenchException.unreadable(file, e);
    }
  }

  /** Reads one value for each line that is not blank. */
  public static List<LocatedJson> readLines(Path file) {
    List<LocatedJson> places = new ArrayList<>();
    List<String> lines = DataFiles.lines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        places.add(parse(file, "line " + (i + 1), lines.get(i).getBytes(StandardCharsets.UTF_8)));
      }
    }
    return places;
  }

  private static LocatedJson parse(Path file, String place, byte[] json) {
    try {
      return new LocatedJson(file, place, Json.mapper().readTree(json));
    } catch (JacksonException e) {
      throw BenchException.badData(
          file, place.isEmpty() ? errorLine(e) : place, "JSON", e.getOriginalMessage());
    }
  }

  private static String errorLine(JacksonException e) {
    return e.getLocation() == null ? "the top" : "line " + e.getLocation().getLineNr();
  }

  public boolean hasKey(String key) {
    return node.hasNonNull(key);
  }

  public LocatedJson child(String key) {
    if (!hasKey(key)) {
      throw problem("'" + key + "'", node.isObject() ? "none" : kindName());
    }
    return descend("." + key, node.get(key));
  }

  /** Returns the element of an array at this index, from 0. */
  public LocatedJson element(int number) {
    List<LocatedJson> elements = elements();
    if (elements.size() <= number) {
      throw problem("at least %d elements".formatted(number + 1), elements.size() + "");
    }
    return elements.get(number);
  }

  /** Returns the elements of an array. */
  public List<LocatedJson> elements() {
    if (!node.isArray()) {
      throw problem("an array", kindName());
    }
    List<LocatedJson> elements = new ArrayList<>();
    for (JsonNode element : node) {
      elements.add(descend("[" + elements.size() + "]", element));
    }
    return elements;
  }

  /** Returns the names of an object's properties, in their order. */
  public List<String> propertyNames() {
    if (!node.isObject()) {
      throw problem("an object", kindName());
    }
    return List.copyOf(node.propertyNames());
  }

  public String text(String key) {
    return child(key).text();
  }

  /** Returns a text or a number, as text. */
  public String text() {
    if (!node.isString() && !node.isNumber()) {
      throw problem("a text", kindName());
    }
    return node.asString();
  }

  /** Returns the constant of that name, in any case. */
  public <E extends Enum<E>> E enumConstant(Class<E> type) {
    return Stream.of(type.getEnumConstants())
        .filter(each -> each.name().equalsIgnoreCase(text()))
        .findFirst()
        .orElseThrow(
            () -> problem("one of " + List.of(type.getEnumConstants()), "'" + text() + "'"));
  }

  public Optional<String> optionalText(String key) {
    return hasKey(key) ? Optional.of(text(key)).filter(text -> !text.isBlank()) : Optional.empty();
  }

  public BenchException problem(String wanted, String found) {
    return BenchException.badData(file, path.isEmpty() ? "the top" : path, wanted, found);
  }

  private String kindName() {
    return node.isMissingNode()
        ? "nothing"
        : node.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
  }

  private LocatedJson descend(String step, JsonNode value) {
    return new LocatedJson(file, path + step, value);
  }
}
