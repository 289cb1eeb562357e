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

  /** Sample 0 is the warm-up. */
  void step(int sample, int samples) {
    say(part + (sample == 0 ? ": warm-up" : ": sample %d of %d".formatted(sample, samples)));
  }

  void say(String line) {
    out.println("bench: " + line);
    out.flush();
  }
}
