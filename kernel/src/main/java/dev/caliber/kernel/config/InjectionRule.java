package dev.caliber.kernel.config;

import java.util.Optional;

/**
 * Which records of a memory go where, and at what cost.
 *
 * @param target what they go into, such as {@code context}
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
    Names.require("target of an injection", target);
    Ranges.requireAtLeast("priority", 0, priority);
    Ranges.requireAtLeast("max_tokens", 1, maxTokens);
  }
}
