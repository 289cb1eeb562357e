package dev.caliber.lang.ast;

/** The retention of records. */
public sealed interface RetentionNode extends Node {
  record Persistent(NodeOrigin origin) implements RetentionNode {}

  record SessionRetentionNode(NodeOrigin origin) implements RetentionNode {}

  record ScopeRetentionNode(NodeOrigin origin) implements RetentionNode {}

  record For(DurationNode duration, NodeOrigin origin) implements RetentionNode {}

  record Max(NumberNode count, NodeOrigin origin) implements RetentionNode {}

  record CompressOn(TriggerNode trigger, NodeOrigin origin) implements RetentionNode {}
}
