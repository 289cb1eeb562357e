package dev.caliber.memory.context.window;

/**
 * Decision on a candidate: why it is in the window or not.
 *
 * @param number its position in the order, from 1; citations use it
 * @param fullTokens tokens of the complete item
 * @param tokens tokens in the window; 0 when excluded
 * @param rule the deciding rule, such as {@code budget_limit}
 * @param reason the reason in words
 */
public record LedgerLine(
    int number,
    Candidate candidate,
    int fullTokens,
    int tokens,
    InclusionDecision decision,
    String rule,
    String reason) {

  /** Returns whether it is a record that the window shows; the instructions are none. */
  public boolean isSource() {
    return decision.isIncluded() && candidate.kind() != SourceKind.SYSTEM;
  }
}
