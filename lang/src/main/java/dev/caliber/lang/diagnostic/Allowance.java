package dev.caliber.lang.diagnostic;

/** How many diagnostics may still be told, by all files that share it. For one thread. */
public final class Allowance {
  private int left;

  public Allowance(int most) {
    this.left = most;
  }

  boolean isSpent() {
    return left <= 0;
  }

  void spend() {
    left--;
  }
}
