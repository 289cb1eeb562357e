package dev.caliber.lang.lower;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Timestamps;
import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldDefinition;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.DurationNode;
import dev.caliber.lang.ast.FilterNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.ValueNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Gives the values of filters the types of the fields that they are compared with. */
final class FilterLowering {
  private static final FieldType UUID = new FieldType.PlainFieldType(FieldType.PrimitiveType.UUID);
  private static final FieldType TIMESTAMP =
      new FieldType.PlainFieldType(FieldType.PrimitiveType.TIMESTAMP);

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
      case FilterNode.And(var parts, _) -> new Filter.AndFilter(lower(memory, parts));
      case FilterNode.Or(var parts, _) -> new Filter.OrFilter(lower(memory, parts));
      case FilterNode.Comparison(var field, var comparisonOperator, _, var value, _) ->
          new Filter.ComparisonFilter(
              field.text(), comparisonOperator, value(type(memory, field.text()), value));
    };
  }

  private List<Filter> lower(String memory, List<FilterNode> parts) {
    return parts.stream().map(part -> lower(memory, part)).toList();
  }

  private FieldType type(String memory, String field) {
    return Optional.ofNullable(schemas.getOrDefault(memory, Map.of()).get(field))
        .or(() -> catalogue.field(memory, field))
        .orElseThrow(() -> LoweringErrors.missingField(field));
  }

  private static FilterValue value(FieldType type, ValueNode value) {
    return switch (value) {
      case TextNode(var text, _) when type instanceof FieldType.EnumerationFieldType ->
          new FilterValue.EnumerationFilterValue(text);
      case TextNode(var text, _) when type.equals(TIMESTAMP) ->
          new FilterValue.TimestampFilterValue(Timestamps.parse(text));
      case TextNode(var text, _) when type.equals(UUID) ->
          new FilterValue.IdFilterValue(Id.parse(text));
      case TextNode(var text, _) -> new FilterValue.TextFilterValue(text);
      case NumberNode(var number, _) -> new FilterValue.NumericFilterValue(number);
      case BooleanNode(var flag, _) -> new FilterValue.BooleanFilterValue(flag);
      case DurationNode _ -> throw LoweringErrors.missingField("a field that is a duration");
      case ValueNode.CurrentTime _ -> new FilterValue.RequestTimeFilterValue();
      case ValueNode.CurrentTrajectory _ -> new FilterValue.CurrentTrajectoryFilterValue();
      case ValueNode.Word(var nameNode, _) ->
          new FilterValue.EnumerationFilterValue(nameNode.text());
    };
  }
}
