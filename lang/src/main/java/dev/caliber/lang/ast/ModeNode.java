package dev.caliber.lang.ast;

/** The mode in which a memory is injected. */
public sealed interface ModeNode extends Node {
  record Full(NodeOrigin origin) implements ModeNode {}

  record Summary(NodeOrigin origin) implements ModeNode {}

  record TopK(NumberNode count, NodeOrigin origin) implements ModeNode {}

  record Relevant(NumberNode threshold, NodeOrigin origin) implements ModeNode {}
}
