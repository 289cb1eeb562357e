package dev.caliber.lang.ast;

/** The condition that closes a memory. */
public sealed interface LifecycleNode extends Node {
  record Explicit(NodeOrigin origin) implements LifecycleNode {}

  record AutoClose(TriggerNode trigger, NodeOrigin origin) implements LifecycleNode {}
}
