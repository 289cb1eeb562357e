package dev.caliber.memory.context;

/**
 * Why a candidate is in the window or not.
 *
 * @param number its place in the order, from 1; citations use it
 * @param fullTokens what it takes as a whole
 * @param tokens what it takes in the window; 0 when it is left out
 * @param rule the rule that decided, such as {@code budget_limit}
 * @param reason the same in words
 */
public record LedgerLine(
    int number,
    Candidate candidate,
    int fullTokens,
    int tokens,
    Decision decision,
    String rule,
    String reason) {

  /** Whether it is a record that the window shows: the instructions are none. */
  boolean isSource() {
    return decision.isIn() && candidate.kind() != SourceKind.SYSTEM;
  }
}
