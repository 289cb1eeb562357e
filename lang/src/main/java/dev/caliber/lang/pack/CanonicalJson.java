package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.syntax.Ast;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.Name;
import dev.caliber.lang.syntax.Node;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Origin;
import dev.caliber.lang.syntax.Text;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The one JSON form of what a composer makes: equal values give equal bytes. A node of a tree is an
 * object with its kind as {@code node} and its parts, without the places; texts, names, numbers and
 * flags are themselves.
 */
final class CanonicalJson {
  private CanonicalJson() {}

  static String text(Pack pack) {
    return Json.text(pack);
  }

  static String text(CompiledConfig config) {
    return Json.text(config);
  }

  static String text(Ast ast) {
    return Json.text(value(ast));
  }

  private static Object value(Object part) {
    return switch (part) {
      case Text(var text, _) -> text;
      case Name(var name, _) -> name;
      case NumberNode(var number, _) -> number;
      case Flag(var flag, _) -> flag;
      case List<?> list -> list.stream().map(CanonicalJson::value).toList();
      case Node node -> node(node);
      default -> part;
    };
  }

  private static Map<String, Object> node(Node node) {
    var parts = new LinkedHashMap<String, Object>();
    parts.put("node", snake(node.getClass().getSimpleName()));
    for (RecordComponent component : node.getClass().getRecordComponents()) {
      if (component.getType() != Origin.class) {
        parts.put(snake(component.getName()), value(read(component, node)));
      }
    }
    return parts;
  }

  private static Object read(RecordComponent component, Node node) {
    try {
      return component.getAccessor().invoke(node);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("wanted a public record, found " + node.getClass(), e);
    }
  }

  private static String snake(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
