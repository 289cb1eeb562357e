package dev.caliber.lang.syntax;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.Comparator;
import java.util.List;

/** Which records an injection is about. A chain of the same word is one node. */
public sealed interface FilterNode extends Node {
  record And(List<FilterNode> parts, Origin origin) implements FilterNode {
    public And {
      parts = Lists.several(parts);
    }
  }

  record Or(List<FilterNode> parts, Origin origin) implements FilterNode {
    public Or {
      parts = Lists.several(parts);
    }
  }

  /** A field, how it is compared, and with what. */
  record Comparison(
      Name field, Comparator comparator, Origin comparatorOrigin, ValueNode value, Origin origin)
      implements FilterNode {
    public Comparison {
      if (Keywords.FILTER_WORDS.contains(field.text())) {
        throw KernelException.invalidValue("field", "no word of filters", field.text());
      }
    }
  }
}
