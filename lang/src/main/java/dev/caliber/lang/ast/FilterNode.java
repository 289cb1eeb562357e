package dev.caliber.lang.ast;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.ComparisonOperator;
import java.util.List;

/** The filter of an injection. A chain of the same operator is one node. */
public sealed interface FilterNode extends Node {
  record And(List<FilterNode> parts, NodeOrigin origin) implements FilterNode {
    public And {
      parts = NodeLists.requireAtLeastTwo(parts);
    }
  }

  record Or(List<FilterNode> parts, NodeOrigin origin) implements FilterNode {
    public Or {
      parts = NodeLists.requireAtLeastTwo(parts);
    }
  }

  /** A comparison of a field with a value. */
  record Comparison(
      NameNode field,
      ComparisonOperator comparator,
      NodeOrigin comparatorOrigin,
      ValueNode value,
      NodeOrigin origin)
      implements FilterNode {
    public Comparison {
      if (Keywords.FILTER_WORDS.contains(field.text())) {
        throw KernelException.invalidValue(
            "field", "a name that is not a word of filters", field.text());
      }
    }
  }
}
