package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store with a searchable corpus in it, loaded through the front door. */
final class SearchRig implements AutoCloseable {

  private static final int COMMIT = 500;
  private static final int BATCH = 1_000;
  private static final long LONG = 6;

  private final Corpus corpus;
  private final RecordStore store;
  private final Jobs jobs;
  private final SearchIndex index;
  private double lexicalRate;
  private double denseRate;

  private SearchRig(Corpus corpus, StoreConfig config) {
    this.corpus = corpus;
    List<Table<?>> tables = new ArrayList<>(SearchIndex.tables());
    tables.add(Passage.PASSAGES);
    Ids ids = Ids.of(Stopwatch.clock(), Chance.seeded(corpus.size()));
    store = RecordStore.open(config, tables, Stopwatch.clock(), ids);
    jobs = Jobs.of(store, config.jobs(), Stopwatch.clock());
    SearchIndex.Parts parts =
        new SearchIndex.Parts(
            store, config, settings(), List.of(Passage.SEARCHABLE), Stopwatch.clock(), ids);
    index = SearchIndex.open(parts, Optional.of(new PlannedEmbedder(corpus)), jobs);
  }

  /**
   * Starter settings, with patience for loading and larger batches for vectors that cost nothing.
   */
  private static SearchConfig settings() {
    SearchConfig starter = SearchConfig.starter();
    return starter
        .withGeneral(
            new SearchConfig.General(
                starter.general().directory(),
                Duration.ofHours(LONG),
                starter.general().limitMax(),
                starter.general().migration()))
        .withEmbedding(
            new SearchConfig.Embedding(
                BATCH,
                BATCH,
                starter.embedding().withinSearch(),
                starter.embedding().queries(),
                starter.embedding().queryPause(),
                starter.embedding().retention(),
                starter.embedding().cacheRetention()));
  }

  static SearchRig load(Corpus corpus, StoreConfig.EngineConfig engine, Progress progress) {
    StoreConfig config =
        StoreConfig.starter()
            .withEngine(engine)
            .withDurability(dev.caliber.store.Durability.RELAXED);
    SearchRig rig = new SearchRig(corpus, config);
    rig.fill(progress);
    return rig;
  }

  private void fill(Progress progress) {
    for (int start = 0; start < corpus.size(); start += COMMIT) {
      write(start, Math.min(corpus.size(), start + COMMIT));
    }
    long begin = Stopwatch.nanos();
    index.rebuild(SpaceId.DEFAULT, (_, _, _) -> {});
    lexicalRate = corpus.size() / Stopwatch.seconds(Stopwatch.nanos() - begin);
    progress.say("embedding %,d documents".formatted(corpus.size()));
    embed();
    begin = Stopwatch.nanos();
    index.rebuild(SpaceId.DEFAULT, (_, _, _) -> {});
    denseRate = corpus.size() / Stopwatch.seconds(Stopwatch.nanos() - begin);
    await();
  }

  private void write(int from, int to) {
    store.write(
        SpaceId.DEFAULT,
        transaction -> {
          for (int i = from; i < to; i++) {
            transaction.put(Passage.PASSAGES, corpus.passage(i));
          }
          return true;
        });
  }

  private void embed() {
    await();
    while (index.status(SpaceId.DEFAULT).backlog() > 0) {
      jobs.runDue(SpaceId.DEFAULT);
      await();
    }
  }

  private void await() {
    index.await(SpaceId.DEFAULT, store.changes().head(SpaceId.DEFAULT).sequence());
  }

  /** Documents per second that a rebuild reads, without and with vectors. */
  double lexicalRate() {
    return lexicalRate;
  }

  double denseRate() {
    return denseRate;
  }

  Corpus corpus() {
    return corpus;
  }

  SearchStatus status() {
    return index.status(SpaceId.DEFAULT);
  }

  /** The ten nearest by vector alone. */
  List<SearchHit> dense(int question, int limit) {
    return index.search(vector(question, limit)).hits();
  }

  /** The same among one hundredth of the documents. */
  List<SearchHit> filtered(int question, int limit) {
    SearchFilter bucket = SearchFilter.equal("bucket", "b" + question % Corpus.BUCKETS);
    return index.search(vector(question, limit).where(bucket)).hits();
  }

  private SearchQuery vector(int question, int limit) {
    return SearchQuery.of(SpaceId.DEFAULT, "", limit)
        .withVector("planned", corpus.question(question))
        .weighing(only(Channel.DENSE));
  }

  /** All channels of the starter file, with a vector that was made before. */
  List<SearchHit> hybrid(int question, int limit) {
    return index
        .search(
            SearchQuery.of(SpaceId.DEFAULT, Corpus.questionWords(question), limit)
                .withVector("planned", corpus.question(question)))
        .hits();
  }

  List<SearchHit> words(int question, int limit) {
    return index
        .search(
            SearchQuery.of(SpaceId.DEFAULT, Corpus.questionWords(question), limit)
                .weighing(only(Channel.LEXICAL)))
        .hits();
  }

  private static Map<Channel, Double> only(Channel wanted) {
    Map<Channel, Double> weights = new EnumMap<>(Channel.class);
    for (Channel channel : Channel.values()) {
      weights.put(channel, channel == wanted ? 1.0 : 0.0);
    }
    return weights;
  }

  @Override
  public void close() {
    index.close();
    store.close();
  }
}
