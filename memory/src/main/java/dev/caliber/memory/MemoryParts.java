package dev.caliber.memory;

import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounter;
import java.time.Clock;
import java.util.Optional;

/**
 * What memory is given beside its store.
 *
 * @param summarizer makes summaries before a scope closes; without one, and when it fails, they are
 *     extracted
 */
public record MemoryParts(Clock clock, TokenCounter counter, Optional<Summarizer> summarizer) {

  /** With a clock, a counter and nothing else: no model, no network. */
  public static MemoryParts plain(Clock clock, TokenCounter counter) {
    return new MemoryParts(clock, counter, Optional.empty());
  }

  public MemoryParts with(Summarizer other) {
    return new MemoryParts(clock, counter, Optional.of(other));
  }
}
