package dev.caliber.memory.spi;

import dev.caliber.kernel.TokenEstimate;

/** Counts by the length of the text. */
record EstimatingCounter(TokenEstimate estimate) implements TokenCounter {
  @Override
  public String name() {
    return "estimate";
  }

  @Override
  public String identity() {
    return name() + " " + estimate;
  }

  @Override
  public int count(String text) {
    return estimate.estimate(text);
  }
}
