package dev.caliber.memory.context;

/**
 * A part of a window, filled by one rule.
 *
 * @param rule the id of the rule
 * @param maxTokens the most that its items take together
 * @param reserve the share of the budget that sections before it leave to it
 * @param compressible whether its items may be summarised when they do not fit
 * @param dialogue whether it is the conversation at hand: without gaps, and as messages where the
 *     format has them
 * @param beyond how many records the rule found beyond the limit of candidates, at least
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
    int beyond) {

  static final String SYSTEM = "system";

  /** The instructions; whoever cannot have them has no window. */
  static Section system(int priority) {
    return new Section(
        SYSTEM, SYSTEM, SourceKind.SYSTEM, priority, Integer.MAX_VALUE, 0, false, false, 0);
  }

  boolean isChronological() {
    return kind == SourceKind.TURN;
  }

  Section beyond(int more) {
    return new Section(
        name, rule, kind, priority, maxTokens, reserve, compressible, dialogue, more);
  }
}
