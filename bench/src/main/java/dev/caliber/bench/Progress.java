package dev.caliber.bench;

import java.io.PrintWriter;

/** Says on the error stream what is being measured; lines, so that a log keeps them readable. */
final class Progress {

  private final PrintWriter out;
  private String part = "";

  Progress(PrintWriter out) {
    this.out = out;
  }

  void part(String name) {
    part = name;
    say(name);
  }

  void step(int round, int rounds, String what) {
    say(
        round == 0
            ? "%s: warm-up, %s".formatted(part, what)
            : "%s: %d/%d, %s".formatted(part, round, rounds, what));
  }

  void say(String line) {
    out.println("bench: " + line);
    out.flush();
  }
}
