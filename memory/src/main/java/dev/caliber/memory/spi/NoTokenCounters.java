package dev.caliber.memory.spi;

import java.util.Optional;

/** Token counters without any tokenizer. */
enum NoTokenCounters implements TokenCounters {
  INSTANCE;

  @Override
  public Optional<TokenCounter> forModel(String model) {
    return Optional.empty();
  }

  @Override
  public Optional<TokenCounter> byName(String name) {
    return Optional.empty();
  }
}
