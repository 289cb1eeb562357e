package dev.caliber.bench.search;

import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.search.index.SearchIndexes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store with a searchable corpus, loaded through the public interface. */
final class BenchSearchIndex implements AutoCloseable {

  private static final int COMMIT = 500;
  private static final int BATCH = 1_000;
  private static final long LONG = 6;

  private final SearchCorpus searchCorpus;
  private final RecordStore store;
  private final Jobs jobs;
  private final SearchIndex index;
  private double lexicalRate;
  private double denseRate;

  private BenchSearchIndex(SearchCorpus searchCorpus, StoreConfig config) {
    this.searchCorpus = searchCorpus;
    List<Table<?>> tables = new ArrayList<>(SearchIndexes.tables());
    tables.add(BenchDocument.PASSAGES);
    IdGenerator idGenerator =
        IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(searchCorpus.size()));
    store = Stores.open(config, tables, Stopwatch.clock(), idGenerator);
    jobs = Jobs.of(store, config.jobs(), Stopwatch.clock());
    SearchIndex.SearchDependencies searchDependencies =
        new SearchIndex.SearchDependencies(
            store,
            config,
            searchConfig(),
            List.of(BenchDocument.SEARCHABLE),
            Stopwatch.clock(),
            idGenerator);
    index =
        SearchIndexes.open(
            searchDependencies, Optional.of(new PrecomputedEmbedder(searchCorpus)), jobs);
  }

  /**
   * Returns starter settings, with longer time limits for loading and larger batches for vectors
   * that cost nothing.
   */
  private static SearchConfig searchConfig() {
    SearchConfig starter = SearchConfig.starter();
    return starter
        .withGeneral(
            new SearchConfig.GeneralSearchSettings(
                starter.general().directory(),
                Duration.ofHours(LONG),
                starter.general().maxHits(),
                starter.general().migration()))
        .with(
            "search.embedding.batch = " + BATCH,
            "search.embedding.documents-per-commit = " + BATCH);
  }

  static BenchSearchIndex load(
      SearchCorpus searchCorpus,
      StoreConfig.EngineSettings engine,
      ProgressPrinter progressPrinter) {
    StoreConfig config =
        StoreConfig.starter().withEngine(engine).with("store.durability = 'relaxed'");
    BenchSearchIndex rig = new BenchSearchIndex(searchCorpus, config);
    rig.fillStore(progressPrinter);
    return rig;
  }

  private void fillStore(ProgressPrinter progressPrinter) {
    for (int start = 0; start < searchCorpus.size(); start += COMMIT) {
      writeDocuments(start, Math.min(searchCorpus.size(), start + COMMIT));
    }
    long begin = Stopwatch.nanos();
    index.rebuild(SpaceId.DEFAULT, (_, _, _) -> {});
    lexicalRate = searchCorpus.size() / Stopwatch.seconds(Stopwatch.nanos() - begin);
    progressPrinter.printLine("embedding %,d documents".formatted(searchCorpus.size()));
    embedAll();
    begin = Stopwatch.nanos();
    index.rebuild(SpaceId.DEFAULT, (_, _, _) -> {});
    denseRate = searchCorpus.size() / Stopwatch.seconds(Stopwatch.nanos() - begin);
    awaitIndexed();
  }

  private void writeDocuments(int from, int to) {
    store.commit(
        SpaceId.DEFAULT,
        transaction -> {
          for (int i = from; i < to; i++) {
            transaction.put(BenchDocument.PASSAGES, searchCorpus.passage(i));
          }
        });
  }

  private void embedAll() {
    awaitIndexed();
    while (index.status(SpaceId.DEFAULT).backlog() > 0) {
      jobs.runDue(SpaceId.DEFAULT);
      awaitIndexed();
    }
  }

  private void awaitIndexed() {
    index.awaitSequence(SpaceId.DEFAULT, store.changes().head(SpaceId.DEFAULT).sequence());
  }

  /** Returns the documents per second that a rebuild reads, without and with vectors. */
  double lexicalRebuildRate() {
    return lexicalRate;
  }

  double denseRebuildRate() {
    return denseRate;
  }

  SearchCorpus corpus() {
    return searchCorpus;
  }

  SearchStatus status() {
    return index.status(SpaceId.DEFAULT);
  }

  /** Returns the ten nearest by vector alone. */
  List<SearchHit> searchDense(int question, int limit) {
    return index.search(vectorQuery(question, limit)).hits();
  }

  /** Returns the ten nearest by vector among one hundredth of the documents. */
  List<SearchHit> searchDenseFiltered(int question, int limit) {
    SearchFilter bucket = SearchFilter.equal("bucket", "b" + question % SearchCorpus.BUCKETS);
    return index.search(vectorQuery(question, limit).withFilter(bucket)).hits();
  }

  private SearchQuery vectorQuery(int question, int limit) {
    return SearchQuery.of(SpaceId.DEFAULT, "", limit)
        .withVector("planned", searchCorpus.questionVector(question))
        .withWeights(onlyChannel(SearchChannel.DENSE));
  }

  /** Searches with all channels of the starter file, and a vector computed before. */
  List<SearchHit> searchHybrid(int question, int limit) {
    return index
        .search(
            SearchQuery.of(SpaceId.DEFAULT, SearchCorpus.questionWords(question), limit)
                .withVector("planned", searchCorpus.questionVector(question)))
        .hits();
  }

  List<SearchHit> searchLexical(int question, int limit) {
    return index
        .search(
            SearchQuery.of(SpaceId.DEFAULT, SearchCorpus.questionWords(question), limit)
                .withWeights(onlyChannel(SearchChannel.LEXICAL)))
        .hits();
  }

  private static Map<SearchChannel, Double> onlyChannel(SearchChannel wanted) {
    Map<SearchChannel, Double> weights = new EnumMap<>(SearchChannel.class);
    for (SearchChannel searchChannel : SearchChannel.values()) {
      weights.put(searchChannel, searchChannel == wanted ? 1.0 : 0.0);
    }
    return weights;
  }

  @Override
  public void close() {
    index.close();
    store.close();
  }
}
