package dev.caliber.kernel.config;

import java.util.Optional;

/**
 * Rule that injects records of a memory into a target, within a token budget.
 *
 * @param target the receiver of the records, such as {@code context}
 * @param priority the higher one is filled first
 */
public record InjectionRule(
    String memory,
    String target,
    InjectionMode mode,
    int priority,
    int maxTokens,
    Optional<Filter> filter) {
  public InjectionRule {
    DefinitionRules.require("target of an injection", target);
    Ranges.requireAtLeast("priority", 0, priority);
    Ranges.requireAtLeast("max_tokens", 1, maxTokens);
  }
}
