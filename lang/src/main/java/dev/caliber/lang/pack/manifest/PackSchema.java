package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.Json;
import dev.caliber.lang.ast.SyntaxBounds;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON Schema of {@code cal.toml}, generated from the keys that the composer reads: editors
 * complete and check the file with it. Only the composer checks rules about several keys.
 */
public final class PackSchema {
  private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";
  private static final String SOMETHING = "\\S";

  private PackSchema() {}

  /** Returns the schema as text. */
  public static String json() {
    var schema = Json.mapper().createObjectNode();
    schema.put("$schema", DRAFT).put("title", "cal.toml of a Caliber pack");
    schema.setAll(schemaOf(Manifest.ROOT));
    return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
  }

  private static ObjectNode schemaOf(ValueShape valueShape) {
    var node = Json.mapper().createObjectNode();
    return switch (valueShape) {
      case ValueShape.TextShape _ -> node.put("type", "string").put("pattern", SOMETHING);
      case ValueShape.ChoiceShape(var words) -> {
        words.forEach(node.putArray("enum")::add);
        yield node;
      }
      case ValueShape.IntegerShape(var min, var max) ->
          node.put("type", "integer").put("minimum", min).put("maximum", max);
      case ValueShape.BooleanShape _ -> node.put("type", "boolean");
      case ValueShape.ListShape(var item, var some) -> {
        node.put("type", "array").set("items", schemaOf(item));
        yield some ? node.put("minItems", 1) : node;
      }
      case ValueShape.TableShape tableShape -> group(node, tableShape.keys());
      case ValueShape.NamedEntriesShape namedEntriesShape -> named(node, namedEntriesShape);
      case ValueShape.VariantTableShape variantTableShape -> cases(node, variantTableShape);
      case ValueShape.FreeTableShape _ -> node.put("type", "object");
    };
  }

  private static ObjectNode group(ObjectNode node, List<ManifestKey> keys) {
    node.put("type", "object");
    var properties = node.putObject("properties");
    keys.forEach(
        manifestKey ->
            properties.set(
                manifestKey.name(),
                schemaOf(manifestKey.shape()).put("description", manifestKey.sentence())));
    var required = node.putArray("required");
    keys.stream().filter(ManifestKey::required).map(ManifestKey::name).forEach(required::add);
    return node.put("additionalProperties", false);
  }

  private static ObjectNode named(ObjectNode node, ValueShape.NamedEntriesShape namedEntriesShape) {
    node.put("type", "object");
    node.putObject("propertyNames")
        .put("pattern", "^" + ValueShape.NamedEntriesShape.NAME + "$")
        .put("maxLength", SyntaxBounds.IDENTIFIER);
    node.set("additionalProperties", schemaOf(namedEntriesShape.value()));
    return node;
  }

  private static ObjectNode cases(ObjectNode node, ValueShape.VariantTableShape variantTableShape) {
    var choices = node.putArray("oneOf");
    for (String word : variantTableShape.groups().keySet()) {
      var group = group(Json.mapper().createObjectNode(), variantTableShape.variant(word).keys());
      ((ObjectNode) group.get("properties").get(variantTableShape.discriminator().name()))
          .put("const", word);
      choices.add(group);
    }
    return node;
  }
}
