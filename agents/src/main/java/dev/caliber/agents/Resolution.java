package dev.caliber.agents;

/**
 * How a conflict ended.
 *
 * @param by who decided
 */
public record Resolution(AgentId by, Verdict verdict, String reason) {
  /** What was decided. */
  public enum Verdict {
    FIRST_STANDS,
    SECOND_STANDS,
    MERGED,
    BOTH_STAND,
    NEITHER_STANDS
  }

  public Resolution {
    Names.requireFilled("reason of a resolution", reason);
  }
}
