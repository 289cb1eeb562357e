package dev.caliber.lang.ast;

/** The criterion of a prune. */
public sealed interface CriteriaNode extends Node {
  record OlderThan(DurationNode age, NodeOrigin origin) implements CriteriaNode {}

  record BelowConfidence(NumberNode confidence, NodeOrigin origin) implements CriteriaNode {}
}
