package dev.caliber.memory.record;

/** Totals of turns and tokens. Output is what assistants said. */
public record TurnTotals(int turns, long tokensInput, long tokensOutput) {
  public static final TurnTotals ZERO = new TurnTotals(0, 0, 0);

  public TurnTotals withTurn(TurnRole turnRole, int tokens) {
    return turnRole == TurnRole.ASSISTANT
        ? new TurnTotals(turns + 1, tokensInput, tokensOutput + tokens)
        : new TurnTotals(turns + 1, tokensInput + tokens, tokensOutput);
  }

  /** Returns the later of two totals. */
  public TurnTotals laterOf(TurnTotals other) {
    return turns >= other.turns ? this : other;
  }
}
