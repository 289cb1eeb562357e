package dev.caliber.memory.spi;

import dev.caliber.kernel.TokenEstimator;
import java.util.List;

/** Counter of the tokens of a text. */
public interface TokenCounter {

  /** Returns the name of the counter, as records and ledgers show it. */
  String name();

  int count(String text);

  /**
   * Returns the key of cached counts; counters with the same name and other results differ in it.
   */
  default String identity() {
    return name();
  }

  /**
   * Returns the text in parts whose counts add up to that of the whole, if the tokenizer never
   * joins across their borders. Repeated parts need not be counted again.
   */
  default List<String> parts(String text) {
    return List.of(text);
  }

  /** Returns a counter that estimates by length, without a tokenizer. */
  static TokenCounter estimate(TokenEstimator estimate) {
    return new EstimatingTokenCounter(estimate);
  }
}
