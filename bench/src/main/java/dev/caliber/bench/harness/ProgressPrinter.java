package dev.caliber.bench.harness;

import java.io.PrintWriter;

/** Prints the progress on the standard error, in lines, so that a log stays readable. */
public final class ProgressPrinter {

  private final PrintWriter out;
  private String part = "";

  public ProgressPrinter(PrintWriter out) {
    this.out = out;
  }

  public void startPart(String name) {
    part = name;
    printLine(name);
  }

  /** Prints a sample; sample 0 is the warm-up. */
  void printStep(int sample, int samples) {
    printLine(part + (sample == 0 ? ": warm-up" : ": sample %d of %d".formatted(sample, samples)));
  }

  public void printLine(String line) {
    out.println("bench: " + line);
    out.flush();
  }
}
