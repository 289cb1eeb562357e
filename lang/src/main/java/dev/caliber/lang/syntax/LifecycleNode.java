package dev.caliber.lang.syntax;

/** How a memory is closed. */
public sealed interface LifecycleNode extends Node {
  record Explicit(Origin origin) implements LifecycleNode {}

  record AutoClose(TriggerNode trigger, Origin origin) implements LifecycleNode {}
}
