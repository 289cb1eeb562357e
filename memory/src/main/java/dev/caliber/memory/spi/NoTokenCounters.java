package dev.caliber.memory.spi;

import java.util.Optional;

/** Knows no tokenizer. */
enum NoTokenCounters implements TokenCounters {
  INSTANCE;

  @Override
  public Optional<TokenCounter> ofModel(String model) {
    return Optional.empty();
  }

  @Override
  public Optional<TokenCounter> named(String name) {
    return Optional.empty();
  }
}
