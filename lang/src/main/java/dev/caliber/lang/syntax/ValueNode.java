package dev.caliber.lang.syntax;

import dev.caliber.kernel.KernelException;

/** What a filter compares a field with. */
public sealed interface ValueNode extends Node
    permits Text,
        NumberNode,
        Flag,
        DurationNode,
        ValueNode.Now,
        ValueNode.CurrentTrajectory,
        ValueNode.Word {
  /** {@code now()} */
  record Now(Origin origin) implements ValueNode {}

  /** {@code current_trajectory} */
  record CurrentTrajectory(Origin origin) implements ValueNode {}

  /** A bare word: a value of an enumeration. */
  record Word(Name name, Origin origin) implements ValueNode {
    public Word {
      if (Keywords.FILTER_WORDS.contains(name.text())
          || Keywords.VALUE_WORDS.contains(name.text())) {
        throw KernelException.invalidValue("value", "no word of the language", name.text());
      }
    }
  }
}
