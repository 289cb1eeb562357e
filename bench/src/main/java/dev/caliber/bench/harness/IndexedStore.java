package dev.caliber.bench.harness;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.index.SearchIndexes;
import dev.caliber.store.spi.Embedder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A record store with its index and its jobs, opened as users have them. */
public record IndexedStore(RecordStore store, Jobs jobs, SearchIndex index, Clock clock)
    implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int NAME_LENGTH = 20;

  public static IndexedStore open(
      StoreConfig config,
      SearchConfig search,
      Clock clock,
      Optional<Embedder> embedder,
      List<Table<?>> tables,
      List<Searchable<?>> searchableMemoryRecords) {
    IdGenerator ids = IdGenerator.of(clock, RandomSource.system());
    List<Table<?>> all =
        Stream.of(SearchIndexes.tables(), tables).<Table<?>>flatMap(List::stream).toList();
    RecordStore store = Stores.open(config, all, clock, ids);
    Jobs jobs = Jobs.of(store, config.jobs(), clock);
    SearchIndex index =
        SearchIndexes.open(
            new SearchIndex.SearchDependencies(
                store, config, search, searchableMemoryRecords, clock, ids),
            embedder,
            jobs);
    return new IndexedStore(store, jobs, index, clock);
  }

  /** Opens a store of memory. */
  public static IndexedStore openForMemory(
      StoreConfig.EngineSettings engine,
      SearchConfig search,
      Clock clock,
      Optional<Embedder> embedder) {
    List<Table<?>> tables =
        Stream.of(Memory.tables(), ContextAssembler.tables())
            .<Table<?>>flatMap(List::stream)
            .toList();
    return open(
        StoreConfig.starter().withEngine(engine),
        search,
        clock,
        embedder,
        tables,
        Memory.searchableMemoryRecords());
  }

  /** Opens a store without an index. */
  public static RecordStore openPlain(StoreConfig.EngineSettings engine, List<Table<?>> tables) {
    return Stores.open(
        StoreConfig.starter().withEngine(engine),
        tables,
        Stopwatch.clock(),
        IdGenerator.of(Stopwatch.clock(), RandomSource.system()));
  }

  /** Returns what memory needs without an index and without a model. */
  public static MemoryDependencies plainDependencies() {
    RuntimeConfig runtime = RuntimeConfig.starter();
    return MemoryDependencies.minimal(
        Stopwatch.clock(),
        runtime,
        TokenCounter.estimate(new TokenEstimator(runtime.context().bytesPerToken())));
  }

  public MemoryDependencies dependencies(RuntimeConfig runtime, TokenCounter counter) {
    return MemoryDependencies.minimal(clock, runtime, counter).withSearch(index);
  }

  /** Returns these settings with longer time limits, for loading a whole data set. */
  public static SearchConfig patient(SearchConfig search, Path indexes) {
    return search.with("search.commit-wait-timeout = '10m'").withDirectory(indexes);
  }

  /** Names a space by its content, so that a later run finds it in a kept store. */
  public static SpaceId spaceOf(String... content) {
    return new SpaceId(
        "eval-"
            + FieldHash.hash("corpus", content)
                .replaceAll("[^0-9a-z]", "")
                .substring(0, NAME_LENGTH));
  }

  void awaitIndexed(SpaceId space) {
    index.awaitSequence(space, store.changes().head(space).sequence());
  }

  /**
   * Waits until every record has its words and its vector in the index.
   *
   * @param advance moves the clock of jobs that are not due yet
   */
  public void awaitVectors(
      SpaceId space, String name, ProgressPrinter progressPrinter, Consumer<Duration> advance) {
    awaitIndexed(space);
    for (long backlog = index.status(space).backlog();
        backlog > 0;
        backlog = index.status(space).backlog()) {
      progressPrinter.printLine("%s: %,d records wait for vectors".formatted(name, backlog));
      advance.accept(PAUSE);
      if (jobs.runDue(space) == 0) {
        Stopwatch.waitUntil(Stopwatch.nanosAfter(PAUSE));
      }
      awaitIndexed(space);
    }
    if (index.status(space).failed() > 0) {
      throw BenchException.notEmbedded(index.status(space).failed() + " records of " + name);
    }
  }

  @Override
  public void close() {
    index.close();
    jobs.close();
    store.close();
  }
}
