package dev.caliber.lang.syntax;

/** How much of a memory is injected. */
public sealed interface ModeNode extends Node {
  record Full(Origin origin) implements ModeNode {}

  record Summary(Origin origin) implements ModeNode {}

  record TopK(NumberNode count, Origin origin) implements ModeNode {}

  record Relevant(NumberNode threshold, Origin origin) implements ModeNode {}
}
