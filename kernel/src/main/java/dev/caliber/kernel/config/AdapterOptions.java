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

/** Options of an adapter; their JSON is the object in the configuration. */
public record AdapterOptions(Map<String, OptionValue> values) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  public AdapterOptions {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static AdapterOptions fromJson(JsonNode node) {
    if (value(node) instanceof OptionValue.ObjectOption(var members)) {
      return new AdapterOptions(members);
    }
    throw KernelException.invalidValue("options", "expected an object, found another value");
  }

  @JsonValue
  JsonNode toJson() {
    return node(new OptionValue.ObjectOption(values));
  }

  private static JsonNode node(OptionValue value) {
    return switch (value) {
      case OptionValue.TextOption(var text) -> NODES.stringNode(text);
      case OptionValue.IntegerOption(var number) -> NODES.numberNode(number);
      case OptionValue.DecimalOption(var number) -> NODES.numberNode(number);
      case OptionValue.BooleanOption(var flag) -> NODES.booleanNode(flag);
      case OptionValue.NullOption() -> NODES.nullNode();
      case OptionValue.ListOption(var items) -> {
        var array = NODES.arrayNode();
        items.forEach(item -> array.add(node(item)));
        yield array;
      }
      case OptionValue.ObjectOption(var members) -> {
        var object = NODES.objectNode();
        members.forEach((key, member) -> object.set(key, node(member)));
        yield object;
      }
    };
  }

  private static OptionValue value(JsonNode node) {
    return switch (node.getNodeType()) {
      case STRING -> new OptionValue.TextOption(node.stringValue());
      case NUMBER ->
          node.isIntegralNumber()
              ? new OptionValue.IntegerOption(node.longValue())
              : new OptionValue.DecimalOption(node.doubleValue());
      case BOOLEAN -> new OptionValue.BooleanOption(node.booleanValue());
      case NULL -> new OptionValue.NullOption();
      case ARRAY -> {
        var items = new ArrayList<OptionValue>();
        node.forEach(item -> items.add(value(item)));
        yield new OptionValue.ListOption(items);
      }
      case OBJECT -> {
        var members = new TreeMap<String, OptionValue>();
        node.properties().forEach(member -> members.put(member.getKey(), value(member.getValue())));
        yield new OptionValue.ObjectOption(members);
      }
      case BINARY, MISSING, POJO ->
          throw KernelException.invalidValue("option", "JSON", node.getNodeType().name());
    };
  }
}
