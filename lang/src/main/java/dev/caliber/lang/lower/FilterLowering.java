package dev.caliber.lang.lower;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Timestamps;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldDefinition;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.lang.syntax.DurationNode;
import dev.caliber.lang.syntax.FilterNode;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
import dev.caliber.lang.syntax.ValueNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Gives the values of filters the types of the fields that they are compared with. */
final class FilterLowering {
  private static final FieldType UUID = new FieldType.Plain(FieldType.Primitive.UUID);
  private static final FieldType TIMESTAMP = new FieldType.Plain(FieldType.Primitive.TIMESTAMP);

  private final Map<String, Map<String, FieldType>> schemas = new HashMap<>();
  private final Catalogue catalogue;

  FilterLowering(Collection<MemoryDefinition> memories, Catalogue catalogue) {
    this.catalogue = catalogue;
    for (MemoryDefinition memory : memories) {
      schemas.put(
          memory.name(),
          memory.schema().stream()
              .collect(Collectors.toMap(FieldDefinition::name, FieldDefinition::type)));
    }
  }

  Filter lower(String memory, FilterNode filter) {
    return switch (filter) {
      case FilterNode.And(var parts, _) -> new Filter.And(lower(memory, parts));
      case FilterNode.Or(var parts, _) -> new Filter.Or(lower(memory, parts));
      case FilterNode.Comparison(var field, var comparator, _, var value, _) ->
          new Filter.Comparison(field.text(), comparator, value(type(memory, field.text()), value));
    };
  }

  private List<Filter> lower(String memory, List<FilterNode> parts) {
    return parts.stream().map(part -> lower(memory, part)).toList();
  }

  private FieldType type(String memory, String field) {
    return Optional.ofNullable(schemas.getOrDefault(memory, Map.of()).get(field))
        .or(() -> catalogue.field(memory, field))
        .orElseThrow(() -> Unchecked.missing(field));
  }

  private static FilterValue value(FieldType type, ValueNode value) {
    return switch (value) {
      case Text(var text, _) when type instanceof FieldType.Enumeration ->
          new FilterValue.Choice(text);
      case Text(var text, _) when type.equals(TIMESTAMP) ->
          new FilterValue.Moment(Timestamps.parse(text));
      case Text(var text, _) when type.equals(UUID) -> new FilterValue.Identity(Id.parse(text));
      case Text(var text, _) -> new FilterValue.Text(text);
      case NumberNode(var number, _) -> new FilterValue.Numeric(number);
      case Flag(var flag, _) -> new FilterValue.Flag(flag);
      case DurationNode _ -> throw Unchecked.missing("a field that is a duration");
      case ValueNode.Now _ -> new FilterValue.Now();
      case ValueNode.CurrentTrajectory _ -> new FilterValue.CurrentTrajectory();
      case ValueNode.Word(var name, _) -> new FilterValue.Choice(name.text());
    };
  }
}
