package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.FieldType;
import java.util.List;

/** The type of a field. */
public sealed interface TypeNode extends Node {
  record Plain(FieldType.Primitive primitive, Origin origin) implements TypeNode {}

  record Enumeration(List<Text> values, Origin origin) implements TypeNode {
    public Enumeration {
      values = Lists.some(values);
    }
  }

  /** The type as the compiled configuration has it; values that repeat count once. */
  default FieldType type() {
    return switch (this) {
      case Plain(var primitive, _) -> new FieldType.Plain(primitive);
      case Enumeration(var values, _) ->
          new FieldType.Enumeration(values.stream().map(Text::value).distinct().toList());
    };
  }
}
