package dev.caliber.testkit.search;

import static dev.caliber.testkit.search.TestMessage.MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.index.SearchIndexes;
import dev.caliber.store.spi.Embedder;
import dev.caliber.testkit.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fixture that opens search on the engine under test and closes it, before its store, after each
 * test.
 */
public abstract class SearchFixture extends StoreFixture {

  protected static final int DIMENSIONS = 32;

  protected static final Map<SearchChannel, Double> ONLY_WORDS = onlyChannel(SearchChannel.LEXICAL);
  protected static final Map<SearchChannel, Double> ONLY_VECTORS = onlyChannel(SearchChannel.DENSE);

  @TempDir protected Path indexes;

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** One process: a store, its search and its jobs. */
  public record SearchNode(RecordStore store, SearchIndex search, Jobs jobs) {

    public long put(TestMessage... messages) {
      return store.write(
          SPACE,
          transaction -> {
            Stream.of(messages).forEach(testMessage -> transaction.put(MESSAGES, testMessage));
            return transaction.revision();
          });
    }

    public long delete(String id) {
      return store.write(
          SPACE,
          transaction -> {
            transaction.delete(MESSAGES, id);
            return transaction.revision();
          });
    }

    /** Waits until every commit is in the index. */
    public long awaitIndexed() {
      long head = store.changes().head(SPACE).sequence();
      search.awaitSequence(SPACE, head);
      return head;
    }

    /** Embeds every document. */
    public void embedAll() {
      awaitIndexed();
      while (search.status(SPACE).backlog() > 0) {
        jobs.runDue(SPACE);
        awaitIndexed();
        Thread.onSpinWait();
      }
    }

    public List<String> searchKeys(SearchQuery query) {
      return search.search(query.withSequence(awaitIndexed())).hits().stream()
          .map(SearchHit::key)
          .toList();
    }

    public SearchResult searchText(String text) {
      return search.search(
          SearchQuery.of(SPACE, text, 10).withSequence(awaitIndexed()).withExplanation());
    }
  }

  protected static Map<SearchChannel, Double> onlyChannel(SearchChannel wanted) {
    Map<SearchChannel, Double> weights = new java.util.EnumMap<>(SearchChannel.class);
    for (SearchChannel searchChannel : SearchChannel.values()) {
      weights.put(searchChannel, searchChannel == wanted ? 1.0 : 0.0);
    }
    return weights;
  }

  protected static SearchQuery query(String text) {
    return SearchQuery.of(SPACE, text, 10);
  }

  /** Returns starter settings with longer waits for a slow machine and a location of their own. */
  protected SearchConfig searchConfig() {
    return SearchConfig.starter()
        .with("search.commit-wait-timeout = '2m'")
        .withDirectory(indexes.resolve("postgres"));
  }

  protected final SearchNode openNode(Optional<Embedder> embedder) {
    return openNode(searchConfig(), embedder, TestMessage.SEARCHABLE);
  }

  protected final SearchNode openNode(
      SearchConfig config, Optional<Embedder> embedder, Searchable<?>... declared) {
    return openNode(config, embedder, open(tables()), declared);
  }

  protected static Table<?>[] tables() {
    List<Table<?>> tables = new ArrayList<>(SearchIndexes.tables());
    tables.add(MESSAGES);
    return tables.toArray(Table<?>[]::new);
  }

  protected final SearchNode openNode(
      SearchConfig config,
      Optional<Embedder> embedder,
      RecordStore store,
      Searchable<?>... declared) {
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    SearchIndex.SearchDependencies searchDependencies =
        new SearchIndex.SearchDependencies(
            store,
            config(),
            config,
            List.of(declared),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(SEED + opened.size())));
    SearchIndex search = SearchIndexes.open(searchDependencies, embedder, jobs);
    opened.add(search);
    return new SearchNode(store, search, jobs);
  }

  protected final void closeSearch() {
    for (AutoCloseable each : opened.reversed()) {
      ((SearchIndex) each).close();
    }
    opened.clear();
  }

  /** Closes all nodes, so that the same store can be opened again. */
  protected final void closeNodes() {
    closeSearch();
    closeStores();
  }

  /** Returns the directory of a space's indexes; empty in memory. */
  protected final Optional<Path> indexDirectory(SpaceId space) {
    return searchConfig().indexDirectory(engine()).map(place -> place.resolve(space.value()));
  }

  /**
   * Fails on leaked threads. A thread whose work is done may need a moment to end; a leaked one
   * never does.
   */
  @AfterEach
  final void closeAllSearch() throws InterruptedException {
    closeSearch();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      String name = thread.getName();
      if (name.startsWith("caliber-search") || name.startsWith("Lucene Merge")) {
        assertThat(thread.join(Duration.ofMinutes(1))).as(name).isTrue();
      }
    }
  }
}
