package dev.caliber.lang.syntax;

/** Which records a prune takes. */
public sealed interface CriteriaNode extends Node {
  record OlderThan(DurationNode age, Origin origin) implements CriteriaNode {}

  record BelowConfidence(NumberNode confidence, Origin origin) implements CriteriaNode {}
}
