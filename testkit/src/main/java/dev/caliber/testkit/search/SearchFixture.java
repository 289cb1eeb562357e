package dev.caliber.testkit.search;

import static dev.caliber.testkit.search.Message.MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.Searchable;
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

/** Opens search on the engine under test and closes it, before its store, after each test. */
public abstract class SearchFixture extends StoreFixture {

  protected static final int DIMENSIONS = 32;

  protected static final Map<Channel, Double> ONLY_WORDS = only(Channel.LEXICAL);
  protected static final Map<Channel, Double> ONLY_VECTORS = only(Channel.DENSE);

  @TempDir protected Path indexes;

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** One process: a store, its search and its jobs. */
  public record Node(RecordStore store, SearchIndex search, Jobs jobs) {

    public long put(Message... messages) {
      return store.write(
          SPACE,
          transaction -> {
            Stream.of(messages).forEach(message -> transaction.put(MESSAGES, message));
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

    /** Waits until everything that was committed is in the index. */
    public long settle() {
      long head = store.changes().head(SPACE).sequence();
      search.await(SPACE, head);
      return head;
    }

    /** Gives every document its vectors. */
    public void embed() {
      settle();
      while (search.status(SPACE).backlog() > 0) {
        jobs.runDue(SPACE);
        settle();
        Thread.onSpinWait();
      }
    }

    public List<String> keys(SearchQuery query) {
      return search.search(query.after(settle())).hits().stream().map(SearchHit::key).toList();
    }

    public SearchResult find(String text) {
      return search.search(SearchQuery.of(SPACE, text, 10).after(settle()).explained());
    }
  }

  protected static Map<Channel, Double> only(Channel wanted) {
    Map<Channel, Double> weights = new java.util.EnumMap<>(Channel.class);
    for (Channel channel : Channel.values()) {
      weights.put(channel, channel == wanted ? 1.0 : 0.0);
    }
    return weights;
  }

  protected static SearchQuery query(String text) {
    return SearchQuery.of(SPACE, text, 10);
  }

  /** Starter settings, with patience for a slow machine and its own place. */
  protected SearchConfig settings() {
    SearchConfig starter = SearchConfig.starter();
    return starter.withGeneral(
        new SearchConfig.General(
            indexes.resolve("postgres"),
            Duration.ofMinutes(2),
            starter.general().limitMax(),
            starter.general().migration()));
  }

  protected final Node node(Optional<Embedder> embedder) {
    return node(settings(), embedder, Message.SEARCHABLE);
  }

  protected final Node node(
      SearchConfig config, Optional<Embedder> embedder, Searchable<?>... declared) {
    return node(config, embedder, open(tables()), declared);
  }

  protected static Table<?>[] tables() {
    List<Table<?>> tables = new ArrayList<>(SearchIndex.tables());
    tables.add(MESSAGES);
    return tables.toArray(Table<?>[]::new);
  }

  protected final Node node(
      SearchConfig config,
      Optional<Embedder> embedder,
      RecordStore store,
      Searchable<?>... declared) {
    Jobs jobs = Jobs.of(store, config().jobs(), clock);
    SearchIndex.Parts parts =
        new SearchIndex.Parts(
            store,
            config(),
            config,
            List.of(declared),
            clock,
            Ids.of(clock, Chance.seeded(SEED + opened.size())));
    SearchIndex search = SearchIndex.open(parts, embedder, jobs);
    opened.add(search);
    return new Node(store, search, jobs);
  }

  protected final void closeSearch() {
    for (AutoCloseable each : opened.reversed()) {
      ((SearchIndex) each).close();
    }
    opened.clear();
  }

  /** Closes all, so that the same store can be opened again. */
  protected final void closeNodes() {
    closeSearch();
    closeStores();
  }

  /** Where indexes of a space are; empty in memory. */
  protected final Optional<Path> place(SpaceId space) {
    return settings().place(engine()).map(place -> place.resolve(space.value()));
  }

  /**
   * A thread that has done its work may need a moment to end; one that was forgotten never does.
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
