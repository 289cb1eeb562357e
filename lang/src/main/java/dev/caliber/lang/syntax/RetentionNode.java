package dev.caliber.lang.syntax;

/** How long records stay. */
public sealed interface RetentionNode extends Node {
  record Persistent(Origin origin) implements RetentionNode {}

  record Session(Origin origin) implements RetentionNode {}

  record Scope(Origin origin) implements RetentionNode {}

  record For(DurationNode duration, Origin origin) implements RetentionNode {}

  record Max(NumberNode count, Origin origin) implements RetentionNode {}

  record CompressOn(TriggerNode trigger, Origin origin) implements RetentionNode {}
}
