package dev.caliber.memory.spi;

import java.util.Optional;

/** The tokenizers that are known here. */
public interface TokenCounters {

  /** The counter of the model with this name; empty where its tokenizer is not known. */
  Optional<TokenCounter> ofModel(String model);

  /** The counter that calls itself so, such as {@code o200k_base}. */
  Optional<TokenCounter> named(String name);

  /** Knows none, so that everything is estimated. */
  static TokenCounters none() {
    return NoTokenCounters.INSTANCE;
  }
}
