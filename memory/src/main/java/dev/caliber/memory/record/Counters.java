package dev.caliber.memory.record;

/** What was said, in numbers. Output is what assistants said. */
public record Counters(int turns, long tokensInput, long tokensOutput) {
  public static final Counters ZERO = new Counters(0, 0, 0);

  public Counters plus(Role role, int tokens) {
    return role == Role.ASSISTANT
        ? new Counters(turns + 1, tokensInput, tokensOutput + tokens)
        : new Counters(turns + 1, tokensInput + tokens, tokensOutput);
  }

  /** The later of two. */
  public Counters or(Counters other) {
    return turns >= other.turns ? this : other;
  }
}
