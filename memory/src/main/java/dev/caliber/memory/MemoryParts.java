package dev.caliber.memory;

import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.record.Lists;
import dev.caliber.memory.spi.AccessPolicy;
import dev.caliber.memory.spi.Extractor;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.store.search.SearchIndex;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * What memory is given beside its store.
 *
 * @param summarizer makes summaries before a scope closes; without one, and when it fails, they are
 *     extracted
 * @param extractor finds what is worth keeping in what was said; without one, and when it fails,
 *     rules do
 * @param search finds records; without it, recall reads the newest ones
 * @param policies what a space has deployed
 * @param rooms what other rooms have to be cleaned up and to forget
 * @param access says who may do what; without it, everybody may do everything
 */
public record MemoryParts(
    Clock clock,
    RuntimeConfig runtime,
    TokenCounter counter,
    Optional<Summarizer> summarizer,
    Optional<Extractor> extractor,
    Optional<SearchIndex> search,
    DeployedConfigs policies,
    Rooms rooms,
    Optional<AccessPolicy> access) {

  /** What other rooms have registered. */
  public record Rooms(
      List<CleanupStep> cleanup,
      List<QuotingRoom> quoting,
      List<Inspector> inspectors,
      List<CheckpointRoom> checkpoints) {
    private static final Rooms NONE = new Rooms(List.of(), List.of(), List.of(), List.of());

    public Rooms {
      cleanup = List.copyOf(cleanup);
      quoting = List.copyOf(quoting);
      inspectors = List.copyOf(inspectors);
      checkpoints = List.copyOf(checkpoints);
    }
  }

  /** With a clock, a counter and nothing else: no model, no network, no policies. */
  public static MemoryParts plain(Clock clock, RuntimeConfig runtime, TokenCounter counter) {
    return new MemoryParts(
        clock,
        runtime,
        counter,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        _ -> Optional.empty(),
        Rooms.NONE,
        Optional.empty());
  }

  public MemoryParts withSummarizer(Summarizer other) {
    return new MemoryParts(
        clock, runtime, counter, Optional.of(other), extractor, search, policies, rooms, access);
  }

  public MemoryParts withExtractor(Extractor other) {
    return new MemoryParts(
        clock, runtime, counter, summarizer, Optional.of(other), search, policies, rooms, access);
  }

  /** An index that was opened with {@link Memory#searchables}. */
  public MemoryParts withSearch(SearchIndex other) {
    return new MemoryParts(
        clock,
        runtime,
        counter,
        summarizer,
        extractor,
        Optional.of(other),
        policies,
        rooms,
        access);
  }

  public MemoryParts withPolicies(DeployedConfigs other) {
    return new MemoryParts(
        clock, runtime, counter, summarizer, extractor, search, other, rooms, access);
  }

  /** With one more step of clean-up, after those that are there. */
  public MemoryParts withCleanup(CleanupStep step) {
    return withCleanup(List.of(step));
  }

  public MemoryParts withCleanup(List<CleanupStep> steps) {
    return with(
        new Rooms(
            Lists.union(rooms.cleanup, steps), rooms.quoting, rooms.inspectors, rooms.checkpoints));
  }

  /** With a room that has to forget what memory forgets. */
  public MemoryParts withQuoting(QuotingRoom room) {
    return with(
        new Rooms(
            rooms.cleanup,
            Lists.union(rooms.quoting, List.of(room)),
            rooms.inspectors,
            rooms.checkpoints));
  }

  /** With one who looks over what is written. */
  public MemoryParts withInspector(Inspector inspector) {
    return with(
        new Rooms(
            rooms.cleanup,
            rooms.quoting,
            Lists.union(rooms.inspectors, List.of(inspector)),
            rooms.checkpoints));
  }

  /** With a room that keeps something for every checkpoint. */
  public MemoryParts withCheckpoints(CheckpointRoom room) {
    return with(
        new Rooms(
            rooms.cleanup,
            rooms.quoting,
            rooms.inspectors,
            Lists.union(rooms.checkpoints, List.of(room))));
  }

  /**
   * From now on a call names its actor ({@link Memory#as}), and is refused unless this allows it.
   */
  public MemoryParts withAccess(AccessPolicy policy) {
    return new MemoryParts(
        clock,
        runtime,
        counter,
        summarizer,
        extractor,
        search,
        policies,
        rooms,
        Optional.of(policy));
  }

  private MemoryParts with(Rooms others) {
    return new MemoryParts(
        clock, runtime, counter, summarizer, extractor, search, policies, others, access);
  }
}
