package dev.caliber.lang.lower;

import dev.caliber.kernel.config.AdapterDefinition;
import dev.caliber.kernel.config.AdapterOptions;
import dev.caliber.kernel.config.OptionValue;
import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Turns an adapter's fields, in any order, into its definition. */
final class AdapterLowering {
  private AdapterLowering() {}

  static AdapterDefinition lower(Definition.Adapter adapter) {
    return new AdapterDefinition(
        adapter.name().text(),
        find(adapter, AdapterField.AdapterTypeField.class)
            .orElseThrow(() -> LoweringErrors.missingField("type"))
            .type(),
        find(adapter, AdapterField.Connection.class)
            .orElseThrow(() -> LoweringErrors.missingField("connection"))
            .connection()
            .value(),
        new AdapterOptions(
            find(adapter, AdapterField.Options.class)
                .map(field -> members(field.options().members()))
                .orElse(Map.of())));
  }

  private static <F extends AdapterField> Optional<F> find(
      Definition.Adapter adapter, Class<F> type) {
    return adapter.fields().stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  private static Map<String, OptionValue> members(List<JsonValueNode.Member> members) {
    var values = new TreeMap<String, OptionValue>();
    members.forEach(member -> values.put(member.key().value(), value(member.value())));
    return values;
  }

  private static OptionValue value(JsonValueNode value) {
    return switch (value) {
      case TextNode(var text, _) -> new OptionValue.TextOption(text);
      case NumberNode(var number, _) ->
          number.scale() > 0
              ? new OptionValue.DecimalOption(number.doubleValue())
              : new OptionValue.IntegerOption(number.longValueExact());
      case BooleanNode(var flag, _) -> new OptionValue.BooleanOption(flag);
      case JsonValueNode.NullValue _ -> new OptionValue.NullOption();
      case JsonValueNode.Items(var values, _) ->
          new OptionValue.ListOption(values.stream().map(AdapterLowering::value).toList());
      case JsonValueNode.Members(var members, _) -> new OptionValue.ObjectOption(members(members));
    };
  }
}
