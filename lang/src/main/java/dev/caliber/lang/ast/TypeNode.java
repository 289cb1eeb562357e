package dev.caliber.lang.ast;

import dev.caliber.kernel.config.FieldType;
import java.util.List;

/** The type of a field. */
public sealed interface TypeNode extends Node {
  record Plain(FieldType.PrimitiveType primitive, NodeOrigin origin) implements TypeNode {}

  record Enumeration(List<TextNode> values, NodeOrigin origin) implements TypeNode {
    public Enumeration {
      values = NodeLists.requireNonEmpty(values);
    }
  }

  /** Returns the type in the compiled configuration; repeated values count once. */
  default FieldType type() {
    return switch (this) {
      case Plain(var primitiveType, _) -> new FieldType.PlainFieldType(primitiveType);
      case Enumeration(var values, _) ->
          new FieldType.EnumerationFieldType(
              values.stream().map(TextNode::value).distinct().toList());
    };
  }
}
