package dev.caliber.memory.view;

import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.record.DistinctLists;
import dev.caliber.memory.spi.ContradictionJudge;
import dev.caliber.memory.spi.KnowledgeExtractor;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.store.search.SearchIndex;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Dependencies of memory beside its store.
 *
 * @param summarizer makes summaries before a scope closes; without one, and when it fails, rules
 *     extract them
 * @param extractor finds what is worth keeping in turns; without one, and when it fails, rules do
 * @param judge finds contradictions between notes beside those that the rules find
 * @param search finds records; without it, recall reads the newest ones
 * @param deployedConfigs configurations that spaces have deployed
 * @param extensions clean-up steps and listeners of other modules
 */
public record MemoryDependencies(
    Clock clock,
    RuntimeConfig runtime,
    TokenCounter counter,
    Optional<Summarizer> summarizer,
    Optional<KnowledgeExtractor> extractor,
    Optional<ContradictionJudge> judge,
    Optional<SearchIndex> search,
    DeployedConfigs deployedConfigs,
    MemoryExtensions extensions) {

  /** Clean-up steps and listeners of other modules. */
  public record MemoryExtensions(
      List<CleanupStep> cleanupSteps,
      List<ForgetListener> forgetListeners,
      List<RecordInspector> inspectors,
      List<CheckpointListener> checkpointListeners) {
    private static final MemoryExtensions NONE =
        new MemoryExtensions(List.of(), List.of(), List.of(), List.of());

    public MemoryExtensions {
      cleanupSteps = List.copyOf(cleanupSteps);
      forgetListeners = List.copyOf(forgetListeners);
      inspectors = List.copyOf(inspectors);
      checkpointListeners = List.copyOf(checkpointListeners);
    }
  }

  /** Returns dependencies without models, network and policies. */
  public static MemoryDependencies minimal(
      Clock clock, RuntimeConfig runtime, TokenCounter counter) {
    return new MemoryDependencies(
        clock,
        runtime,
        counter,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        _ -> Optional.empty(),
        MemoryExtensions.NONE);
  }

  public MemoryDependencies withSummarizer(Summarizer other) {
    return with(Optional.of(other), extractor, judge, search, deployedConfigs, extensions);
  }

  public MemoryDependencies withExtractor(KnowledgeExtractor other) {
    return with(summarizer, Optional.of(other), judge, search, deployedConfigs, extensions);
  }

  public MemoryDependencies withJudge(ContradictionJudge other) {
    return with(summarizer, extractor, Optional.of(other), search, deployedConfigs, extensions);
  }

  /** Adds an index that was opened with {@link Memory#searchableMemoryRecords}. */
  public MemoryDependencies withSearch(SearchIndex other) {
    return with(summarizer, extractor, judge, Optional.of(other), deployedConfigs, extensions);
  }

  public MemoryDependencies withDeployedConfigs(DeployedConfigs other) {
    return with(summarizer, extractor, judge, search, other, extensions);
  }

  /** Adds a clean-up step after the existing ones. */
  public MemoryDependencies withCleanup(CleanupStep step) {
    return withCleanup(List.of(step));
  }

  public MemoryDependencies withCleanup(List<CleanupStep> steps) {
    return withExtensions(
        new MemoryExtensions(
            DistinctLists.union(extensions.cleanupSteps, steps),
            extensions.forgetListeners,
            extensions.inspectors,
            extensions.checkpointListeners));
  }

  /** Adds a module that must forget what memory forgets. */
  public MemoryDependencies withForgetListener(ForgetListener listener) {
    return withExtensions(
        new MemoryExtensions(
            extensions.cleanupSteps,
            DistinctLists.union(extensions.forgetListeners, List.of(listener)),
            extensions.inspectors,
            extensions.checkpointListeners));
  }

  /** Adds an inspector of written notes and artifacts. */
  public MemoryDependencies withInspector(RecordInspector recordInspector) {
    return withExtensions(
        new MemoryExtensions(
            extensions.cleanupSteps,
            extensions.forgetListeners,
            DistinctLists.union(extensions.inspectors, List.of(recordInspector)),
            extensions.checkpointListeners));
  }

  /** Adds a module that stores data for each checkpoint. */
  public MemoryDependencies withCheckpointListener(CheckpointListener listener) {
    return withExtensions(
        new MemoryExtensions(
            extensions.cleanupSteps,
            extensions.forgetListeners,
            extensions.inspectors,
            DistinctLists.union(extensions.checkpointListeners, List.of(listener))));
  }

  private MemoryDependencies withExtensions(MemoryExtensions others) {
    return with(summarizer, extractor, judge, search, deployedConfigs, others);
  }

  private MemoryDependencies with(
      Optional<Summarizer> newSummarizer,
      Optional<KnowledgeExtractor> newExtractor,
      Optional<ContradictionJudge> newJudge,
      Optional<SearchIndex> newSearch,
      DeployedConfigs newConfigs,
      MemoryExtensions newExtensions) {
    return new MemoryDependencies(
        clock,
        runtime,
        counter,
        newSummarizer,
        newExtractor,
        newJudge,
        newSearch,
        newConfigs,
        newExtensions);
  }
}
