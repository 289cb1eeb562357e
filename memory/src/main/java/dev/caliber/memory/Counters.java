package dev.caliber.memory;

/** What was said, in numbers that stay when turns go. Output is what assistants said. */
public record Counters(int turns, long tokensInput, long tokensOutput) {
  static final Counters ZERO = new Counters(0, 0, 0);

  Counters plus(Turn turn) {
    return turn.role() == Role.ASSISTANT
        ? new Counters(turns + 1, tokensInput, tokensOutput + turn.tokens())
        : new Counters(turns + 1, tokensInput + turn.tokens(), tokensOutput);
  }
}
