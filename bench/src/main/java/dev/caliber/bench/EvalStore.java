package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.spi.Embedder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The store, the index and the model that users get, with one space for each corpus. */
final class EvalStore implements AutoCloseable {

  private static final int BATCH = 500;
  private static final int NAME_LENGTH = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final RecordStore store;
  private final Jobs jobs;
  private final SearchIndex index;
  private final Progress progress;

  private EvalStore(RecordStore store, Jobs jobs, SearchIndex index, Progress progress) {
    this.store = store;
    this.jobs = jobs;
    this.index = index;
    this.progress = progress;
  }

  static EvalStore open(
      StoreConfig.EngineConfig engine,
      Path indexes,
      Optional<Embedder> embedder,
      Progress progress) {
    Clock clock = Stopwatch.clock();
    Ids ids = Ids.of(clock, Chance.system());
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    List<Table<?>> tables = new ArrayList<>(SearchIndex.tables());
    tables.add(EvalDocument.Stored.TABLE);
    RecordStore store = RecordStore.open(config, tables, clock, ids);
    Jobs jobs = Jobs.of(store, config.jobs(), clock);
    SearchIndex.Parts parts =
        new SearchIndex.Parts(
            store, config, settings(indexes), List.of(EvalDocument.Stored.SEARCHABLE), clock, ids);
    return new EvalStore(store, jobs, SearchIndex.open(parts, embedder, jobs), progress);
  }

  /** The starter's, with patience for the loading of a whole data set. */
  private static SearchConfig settings(Path indexes) {
    SearchConfig starter = SearchConfig.starter();
    SearchConfig.General general = starter.general();
    return starter.withGeneral(
        new SearchConfig.General(indexes, PATIENCE, general.limitMax(), general.migration()));
  }

  /** The name says what is inside, so that a store that is kept finds it again. */
  private static SpaceId space(EvalCorpus corpus) {
    String documents =
        corpus.documents().stream().map(EvalDocument::toString).collect(Collectors.joining("\n"));
    return new SpaceId(
        "eval-"
            + Hashing.hash("corpus", corpus.id(), documents)
                .replaceAll("[^0-9a-z]", "")
                .substring(0, NAME_LENGTH));
  }

  /** Stores the documents and waits until words and vectors of all of them are in the index. */
  void load(EvalCorpus corpus) {
    SpaceId space = space(corpus);
    if (!store.spaces().contains(space)) {
      store.createSpace(space);
      write(space, corpus.documents());
    }
    awaitVectors(space, corpus.id());
  }

  private void write(SpaceId space, List<EvalDocument> documents) {
    Map<String, String> keys = new HashMap<>();
    for (int i = 0; i < documents.size(); i++) {
      keys.put(documents.get(i).id(), key(i));
    }
    for (int start = 0; start < documents.size(); start += BATCH) {
      int from = start;
      int until = Math.min(documents.size(), start + BATCH);
      store.write(
          space,
          transaction -> {
            for (int i = from; i < until; i++) {
              transaction.put(
                  EvalDocument.Stored.TABLE,
                  new EvalDocument.Stored(
                      key(i), documents.get(i), keysOf(documents.get(i), keys)));
            }
            return until;
          });
    }
  }

  private static List<String> keysOf(EvalDocument document, Map<String, String> keys) {
    return document.links().stream().filter(keys::containsKey).map(keys::get).toList();
  }

  private static String key(int number) {
    return String.format(Locale.ROOT, "%08d", number);
  }

  private void awaitVectors(SpaceId space, String name) {
    index.await(space, store.changes().head(space).sequence());
    long backlog = index.status(space).backlog();
    while (backlog > 0) {
      progress.say("%s: %,d documents wait for vectors".formatted(name, backlog));
      if (jobs.runDue(space) == 0) {
        Stopwatch.waitUntil(Stopwatch.after(PAUSE));
      }
      index.await(space, store.changes().head(space).sequence());
      backlog = index.status(space).backlog();
    }
    if (index.status(space).failed() > 0) {
      throw BenchException.notEmbedded(index.status(space).failed() + " documents of " + name);
    }
  }

  EvalAnswer ask(
      EvalCorpus corpus, EvalQuestion question, Map<Channel, Double> weights, int depth) {
    SearchQuery query =
        SearchQuery.of(space(corpus), question.text(), depth).weighing(weights).explained();
    List<EvalAnswer.Hit> hits =
        index.search(query).hits().stream().map(hit -> hit(corpus, hit)).toList();
    return new EvalAnswer(corpus.id(), question, hits);
  }

  private static EvalAnswer.Hit hit(EvalCorpus corpus, SearchHit hit) {
    return new EvalAnswer.Hit(
        corpus.documents().get(Integer.parseInt(hit.key())).id(),
        hit.score(),
        hit.channels().stream()
            .collect(
                Collectors.toMap(
                    each -> each.channel().name().toLowerCase(Locale.ROOT),
                    SearchHit.ChannelScore::raw)));
  }

  @Override
  public void close() {
    index.close();
    jobs.close();
    store.close();
  }
}
