package dev.caliber.memory.spi;

import dev.caliber.kernel.TokenEstimator;

/** Token counter that estimates by the length of the text. */
record EstimatingTokenCounter(TokenEstimator estimate) implements TokenCounter {
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
