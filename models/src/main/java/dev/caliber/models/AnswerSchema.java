package dev.caliber.models;

import java.util.List;
import java.util.Map;

/** JSON Schema of an answer: an object with one list of objects, and nothing else. */
final class AnswerSchema {
  private static final String TYPE = "type";

  private AnswerSchema() {}

  static Map<String, Object> objectWithList(
      String name, int least, int most, Map<String, Object> properties) {
    Map<String, Object> list =
        Map.of(TYPE, "array", "items", object(properties), "minItems", least, "maxItems", most);
    return object(Map.of(name, list));
  }

  /** Returns the schema of an object with all of these properties and no other. */
  private static Map<String, Object> object(Map<String, Object> properties) {
    return Map.of(
        TYPE,
        "object",
        "properties",
        properties,
        "required",
        properties.keySet().stream().sorted().toList(),
        "additionalProperties",
        false);
  }

  static Map<String, Object> nonEmptyText() {
    return Map.of(TYPE, "string", "minLength", 1);
  }

  static Map<String, Object> anyText() {
    return Map.of(TYPE, "string");
  }

  static Map<String, Object> integerUpTo(int most) {
    return Map.of(TYPE, "integer", "minimum", 1, "maximum", most);
  }

  static Map<String, Object> oneOf(List<String> words) {
    return Map.of(TYPE, "string", "enum", words);
  }
}
