package dev.caliber.lang.ast;

import dev.caliber.kernel.Json;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Canonical JSON of a tree: equal trees give equal bytes. A node is an object with its kind as
 * {@code node} and its parts, without positions; texts, names, numbers and flags are JSON values.
 */
public final class AstJson {
  private AstJson() {}

  public static String text(Ast ast) {
    return Json.text(value(ast));
  }

  private static Object value(Object part) {
    return switch (part) {
      case TextNode(var text, _) -> text;
      case NameNode(var name, _) -> name;
      case NumberNode(var number, _) -> number;
      case BooleanNode(var flag, _) -> flag;
      case List<?> list -> list.stream().map(AstJson::value).toList();
      case Node node -> node(node);
      default -> part;
    };
  }

  private static Map<String, Object> node(Node node) {
    var parts = new LinkedHashMap<String, Object>();
    parts.put("node", kind(node));
    for (RecordComponent component : node.getClass().getRecordComponents()) {
      if (component.getType() != NodeOrigin.class) {
        parts.put(snake(component.getName()), value(read(component, node)));
      }
    }
    return parts;
  }

  /** Returns the kind of a node: the name of its type without the suffix {@code Node}. */
  private static String kind(Node node) {
    return snake(node.getClass().getSimpleName().replaceFirst("Node$", ""));
  }

  private static Object read(RecordComponent component, Node node) {
    try {
      return component.getAccessor().invoke(node);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("expected a public record, found " + node.getClass(), e);
    }
  }

  private static String snake(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
