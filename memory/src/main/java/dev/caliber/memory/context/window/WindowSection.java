package dev.caliber.memory.context.window;

import java.util.Optional;

/**
 * Part of a window, filled by one rule.
 *
 * @param rule the id of the rule
 * @param maxTokens maximum total of its items' tokens
 * @param reserve the share of the budget that earlier sections leave to it
 * @param compressible whether its items may be summarised when they do not fit
 * @param dialogue whether it is the current conversation: without gaps, and as messages where the
 *     format has them
 * @param beyond minimum number of records that the rule found beyond its limit
 * @param bound the limit reached, if there may be more
 */
public record WindowSection(
    String name,
    String rule,
    SourceKind kind,
    int priority,
    int maxTokens,
    double reserve,
    boolean compressible,
    boolean dialogue,
    int beyond,
    Optional<ReachedLimit> bound) {

  public static final String SYSTEM = "system";

  /** Name under which an explanation counts the tokens of no section. */
  public static final String FRAME = "frame";

  /** Returns the section of the instructions; a window without room for them is refused. */
  public static WindowSection system(int priority) {
    return of(SYSTEM, SourceKind.SYSTEM, priority, Integer.MAX_VALUE, 0, false);
  }

  /** Returns a section without candidates; artifacts and instructions are never summarised. */
  public static WindowSection of(
      String name, SourceKind kind, int priority, int maxTokens, double reserve, boolean dialogue) {
    return new WindowSection(
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

  public boolean isChronological() {
    return kind == SourceKind.TURN;
  }

  public WindowSection withOmitted(OmittedCandidates omittedCandidates) {
    return new WindowSection(
        name,
        rule,
        kind,
        priority,
        maxTokens,
        reserve,
        compressible,
        dialogue,
        omittedCandidates.least(),
        omittedCandidates.limit());
  }
}
