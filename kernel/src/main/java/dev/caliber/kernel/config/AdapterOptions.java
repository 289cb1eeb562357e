package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.caliber.kernel.KernelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The options of an adapter, in JSON the very object that the configuration has. */
public record AdapterOptions(Map<String, OptionValue> values) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  public AdapterOptions {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static AdapterOptions fromJson(JsonNode node) {
    if (value(node) instanceof OptionValue.Members(var members)) {
      return new AdapterOptions(members);
    }
    throw KernelException.invalidValue("options", "wanted an object, found another value");
  }

  @JsonValue
  JsonNode toJson() {
    return node(new OptionValue.Members(values));
  }

  private static JsonNode node(OptionValue value) {
    return switch (value) {
      case OptionValue.Text(var text) -> NODES.stringNode(text);
      case OptionValue.Whole(var number) -> NODES.numberNode(number);
      case OptionValue.Real(var number) -> NODES.numberNode(number);
      case OptionValue.Flag(var flag) -> NODES.booleanNode(flag);
      case OptionValue.Nothing() -> NODES.nullNode();
      case OptionValue.Items(var items) -> {
        var array = NODES.arrayNode();
        items.forEach(item -> array.add(node(item)));
        yield array;
      }
      case OptionValue.Members(var members) -> {
        var object = NODES.objectNode();
        members.forEach((key, member) -> object.set(key, node(member)));
        yield object;
      }
    };
  }

  private static OptionValue value(JsonNode node) {
    return switch (node.getNodeType()) {
      case STRING -> new OptionValue.Text(node.stringValue());
      case NUMBER ->
          node.isIntegralNumber()
              ? new OptionValue.Whole(node.longValue())
              : new OptionValue.Real(node.doubleValue());
      case BOOLEAN -> new OptionValue.Flag(node.booleanValue());
      case NULL -> new OptionValue.Nothing();
      case ARRAY -> {
        var items = new ArrayList<OptionValue>();
        node.forEach(item -> items.add(value(item)));
        yield new OptionValue.Items(items);
      }
      case OBJECT -> {
        var members = new TreeMap<String, OptionValue>();
        node.properties().forEach(member -> members.put(member.getKey(), value(member.getValue())));
        yield new OptionValue.Members(members);
      }
      case BINARY, MISSING, POJO ->
          throw KernelException.invalidValue("option", "JSON", node.getNodeType().name());
    };
  }
}
