package dev.caliber.lang.ast;

import dev.caliber.kernel.KernelException;

/** The value that a filter compares a field with. */
public sealed interface ValueNode extends Node
    permits TextNode,
        NumberNode,
        BooleanNode,
        DurationNode,
        ValueNode.CurrentTime,
        ValueNode.CurrentTrajectory,
        ValueNode.Word {
  /** {@code now()} */
  record CurrentTime(NodeOrigin origin) implements ValueNode {}

  /** {@code current_trajectory} */
  record CurrentTrajectory(NodeOrigin origin) implements ValueNode {}

  /** A bare word: a value of an enumeration. */
  record Word(NameNode name, NodeOrigin origin) implements ValueNode {
    public Word {
      if (Keywords.FILTER_WORDS.contains(name.text())
          || Keywords.VALUE_WORDS.contains(name.text())) {
        throw KernelException.invalidValue(
            "value", "a name that is not a word of the language", name.text());
      }
    }
  }
}
