package dev.caliber.lang.lower;

import dev.caliber.kernel.config.AdapterDefinition;
import dev.caliber.kernel.config.AdapterOptions;
import dev.caliber.kernel.config.OptionValue;
import dev.caliber.lang.syntax.AdapterField;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Turns an adapter's fields, in whatever order, into its definition. */
final class AdapterLowering {
  private AdapterLowering() {}

  static AdapterDefinition lower(Definition.Adapter adapter) {
    return new AdapterDefinition(
        adapter.name().text(),
        find(adapter, AdapterField.Type.class).orElseThrow(() -> Unchecked.missing("type")).type(),
        find(adapter, AdapterField.Connection.class)
            .orElseThrow(() -> Unchecked.missing("connection"))
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
      case Text(var text, _) -> new OptionValue.Text(text);
      case NumberNode(var number, _) ->
          number.scale() > 0
              ? new OptionValue.Real(number.doubleValue())
              : new OptionValue.Whole(number.longValueExact());
      case Flag(var flag, _) -> new OptionValue.Flag(flag);
      case JsonValueNode.Nothing _ -> new OptionValue.Nothing();
      case JsonValueNode.Items(var values, _) ->
          new OptionValue.Items(values.stream().map(AdapterLowering::value).toList());
      case JsonValueNode.Members(var members, _) -> new OptionValue.Members(members(members));
    };
  }
}
