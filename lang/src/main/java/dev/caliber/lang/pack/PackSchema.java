package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.lang.syntax.SyntaxBounds;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON Schema for {@code cal.toml}, from the keys that the composer reads: editors complete and
 * check the file with it. What needs more than one key to be judged is left to the composer.
 */
public final class PackSchema {
  private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";
  private static final String SOMETHING = "\\S";

  private PackSchema() {}

  /** The schema as text. */
  public static String json() {
    var schema = Json.mapper().createObjectNode();
    schema.put("$schema", DRAFT).put("title", "cal.toml of a Caliber pack");
    schema.setAll(of(Manifest.ROOT));
    return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
  }

  private static ObjectNode of(Shape shape) {
    var node = Json.mapper().createObjectNode();
    return switch (shape) {
      case Shape.Line _ -> node.put("type", "string").put("pattern", SOMETHING);
      case Shape.Choice(var words) -> {
        words.forEach(node.putArray("enum")::add);
        yield node;
      }
      case Shape.Whole(var min, var max) ->
          node.put("type", "integer").put("minimum", min).put("maximum", max);
      case Shape.Truth _ -> node.put("type", "boolean");
      case Shape.Many(var item, var some) -> {
        node.put("type", "array").set("items", of(item));
        yield some ? node.put("minItems", 1) : node;
      }
      case Shape.Group group -> group(node, group.keys());
      case Shape.Named named -> named(node, named);
      case Shape.Cases cases -> cases(node, cases);
      case Shape.Free _ -> node.put("type", "object");
    };
  }

  private static ObjectNode group(ObjectNode node, List<Key> keys) {
    node.put("type", "object");
    var properties = node.putObject("properties");
    keys.forEach(
        key -> properties.set(key.name(), of(key.shape()).put("description", key.sentence())));
    var required = node.putArray("required");
    keys.stream().filter(Key::required).map(Key::name).forEach(required::add);
    return node.put("additionalProperties", false);
  }

  private static ObjectNode named(ObjectNode node, Shape.Named named) {
    node.put("type", "object");
    node.putObject("propertyNames")
        .put("pattern", "^" + Shape.Named.NAME + "$")
        .put("maxLength", SyntaxBounds.IDENTIFIER);
    node.set("additionalProperties", of(named.value()));
    return node;
  }

  private static ObjectNode cases(ObjectNode node, Shape.Cases cases) {
    var choices = node.putArray("oneOf");
    for (String word : cases.groups().keySet()) {
      var group = group(Json.mapper().createObjectNode(), cases.group(word).keys());
      ((ObjectNode) group.get("properties").get(cases.by().name())).put("const", word);
      choices.add(group);
    }
    return node;
  }
}
