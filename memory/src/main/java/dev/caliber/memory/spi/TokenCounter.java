package dev.caliber.memory.spi;

import dev.caliber.kernel.TokenEstimate;

/** Counts the tokens of a text as a model would. */
public interface TokenCounter {

  /** What counts, as records and ledgers show it. */
  String name();

  int count(String text);

  /** Counts by length alone, without a tokenizer. */
  static TokenCounter estimate(TokenEstimate estimate) {
    return new EstimatingCounter(estimate);
  }
}
