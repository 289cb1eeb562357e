package dev.caliber.memory.context;

import java.util.Optional;

/**
 * A part of a window, filled by one rule.
 *
 * @param rule the id of the rule
 * @param maxTokens the most that its items take together
 * @param reserve the share of the budget that sections before it leave to it
 * @param compressible whether its items may be summarised when they do not fit
 * @param dialogue whether it is the conversation at hand: without gaps, and as messages where the
 *     format has them
 * @param beyond how many records the rule found beyond its limit, at least
 * @param bound which limit that was, if there may be more
 */
public record Section(
    String name,
    String rule,
    SourceKind kind,
    int priority,
    int maxTokens,
    double reserve,
    boolean compressible,
    boolean dialogue,
    int beyond,
    Optional<Bound> bound) {

  static final String SYSTEM = "system";

  /** The instructions; whoever cannot have them has no window. */
  static Section system(int priority) {
    return of(SYSTEM, SourceKind.SYSTEM, priority, Integer.MAX_VALUE, 0, false);
  }

  /** With its candidates still to come; artifacts are never summarised, nor are instructions. */
  static Section of(
      String name, SourceKind kind, int priority, int maxTokens, double reserve, boolean dialogue) {
    return new Section(
        name,
        name,
        kind,
        priority,
        maxTokens,
        reserve,
        kind != SourceKind.ARTIFACT && kind != SourceKind.SYSTEM,
        dialogue,
        0,
        Optional.empty());
  }

  boolean isChronological() {
    return kind == SourceKind.TURN;
  }

  Section with(Rest rest) {
    return new Section(
        name,
        rule,
        kind,
        priority,
        maxTokens,
        reserve,
        compressible,
        dialogue,
        rest.least(),
        rest.bound());
  }
}
