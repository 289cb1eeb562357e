package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.store.search.SearchIndex;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What memory is given beside its store.
 *
 * @param summarizer makes summaries before a scope closes; without one, and when it fails, they are
 *     extracted
 * @param search finds records; without it, recall reads the newest ones
 * @param policies what a space has deployed, as of now and without access to the store
 * @param cleanup what other rooms have to be cleaned up
 */
public record MemoryParts(
    Clock clock,
    RuntimeConfig runtime,
    TokenCounter counter,
    Optional<Summarizer> summarizer,
    Optional<SearchIndex> search,
    Function<SpaceId, Optional<CompiledConfig>> policies,
    List<CleanupStep> cleanup) {
  public MemoryParts {
    cleanup = List.copyOf(cleanup);
  }

  /** With a clock, a counter and nothing else: no model, no network, no policies. */
  public static MemoryParts plain(Clock clock, RuntimeConfig runtime, TokenCounter counter) {
    return new MemoryParts(
        clock,
        runtime,
        counter,
        Optional.empty(),
        Optional.empty(),
        _ -> Optional.empty(),
        List.of());
  }

  public MemoryParts withSummarizer(Summarizer other) {
    return new MemoryParts(clock, runtime, counter, Optional.of(other), search, policies, cleanup);
  }

  /** An index that was opened with {@link Memory#searchables}. */
  public MemoryParts withSearch(SearchIndex other) {
    return new MemoryParts(
        clock, runtime, counter, summarizer, Optional.of(other), policies, cleanup);
  }

  public MemoryParts withPolicies(Function<SpaceId, Optional<CompiledConfig>> other) {
    return new MemoryParts(clock, runtime, counter, summarizer, search, other, cleanup);
  }

  /** With one more step of clean-up, after those that are there. */
  public MemoryParts withCleanup(CleanupStep step) {
    List<CleanupStep> more = new ArrayList<>(cleanup);
    more.add(step);
    return new MemoryParts(clock, runtime, counter, summarizer, search, policies, more);
  }
}
