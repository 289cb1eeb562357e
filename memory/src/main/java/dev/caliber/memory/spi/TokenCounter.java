package dev.caliber.memory.spi;

import dev.caliber.kernel.TokenEstimate;
import java.util.List;

/** Counts the tokens of a text as a model would. */
public interface TokenCounter {

  /** What counts, as records and ledgers show it. */
  String name();

  int count(String text);

  /** Tells apart what has the same name and counts otherwise, so that counts can be remembered. */
  default String identity() {
    return name();
  }

  /**
   * The text in parts whose counts add up to that of the whole, if the tokenizer never joins across
   * their borders. Parts that come again need not be counted again.
   */
  default List<String> parts(String text) {
    return List.of(text);
  }

  /** Counts by length alone, without a tokenizer. */
  static TokenCounter estimate(TokenEstimate estimate) {
    return new EstimatingCounter(estimate);
  }
}
