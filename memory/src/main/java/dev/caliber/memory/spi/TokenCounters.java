package dev.caliber.memory.spi;

import java.util.Optional;

/** Known token counters. */
public interface TokenCounters {

  /** Returns the counter of a model; empty if its tokenizer is unknown. */
  Optional<TokenCounter> forModel(String model);

  /** Returns the counter with this name, such as {@code o200k_base}. */
  Optional<TokenCounter> byName(String name);

  /** Returns an empty set, so that every count is an estimate. */
  static TokenCounters none() {
    return NoTokenCounters.INSTANCE;
  }
}
