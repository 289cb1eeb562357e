package dev.caliber.bench;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchChannel;
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

/** The store, the index and the model as users have them, with one space for each corpus. */
final class EvalStore implements AutoCloseable {

  private static final int BATCH = 500;
  private static final int NAME_LENGTH = 20;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final RecordStore store;
  private final Jobs jobs;
  private final SearchIndex index;
  private final ProgressPrinter progressPrinter;

  private EvalStore(
      RecordStore store, Jobs jobs, SearchIndex index, ProgressPrinter progressPrinter) {
    this.store = store;
    this.jobs = jobs;
    this.index = index;
    this.progressPrinter = progressPrinter;
  }

  static EvalStore open(
      StoreConfig.EngineSettings engine,
      Path indexes,
      Optional<Embedder> embedder,
      ProgressPrinter progressPrinter) {
    Clock clock = Stopwatch.clock();
    IdGenerator idGenerator = IdGenerator.of(clock, RandomSource.system());
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    List<Table<?>> tables = new ArrayList<>(SearchIndex.tables());
    tables.add(EvalDocument.StoredEvalDocument.TABLE);
    RecordStore store = RecordStore.open(config, tables, clock, idGenerator);
    Jobs jobs = Jobs.of(store, config.jobs(), clock);
    SearchIndex.SearchDependencies searchDependencies =
        new SearchIndex.SearchDependencies(
            store,
            config,
            searchConfig(indexes),
            List.of(EvalDocument.StoredEvalDocument.SEARCHABLE),
            clock,
            idGenerator);
    return new EvalStore(
        store, jobs, SearchIndex.open(searchDependencies, embedder, jobs), progressPrinter);
  }

  /** Returns the starter's settings, with longer time limits for loading a whole data set. */
  private static SearchConfig searchConfig(Path indexes) {
    return SearchConfig.starter().with("search.commit-wait-timeout = '10m'").withDirectory(indexes);
  }

  /** Names the space by its content, so that a later run finds it in a kept store. */
  private static SpaceId space(EvalCorpus corpus) {
    String documents =
        corpus.documents().stream().map(EvalDocument::toString).collect(Collectors.joining("\n"));
    return new SpaceId(
        "eval-"
            + FieldHash.hash("corpus", corpus.id(), documents)
                .replaceAll("[^0-9a-z]", "")
                .substring(0, NAME_LENGTH));
  }

  /** Stores the documents and waits until words and vectors of all of them are in the index. */
  void load(EvalCorpus corpus) {
    SpaceId space = space(corpus);
    if (!store.spaces().contains(space)) {
      store.createSpace(space);
      writeDocuments(space, corpus.documents());
    }
    awaitVectors(space, corpus.id());
  }

  private void writeDocuments(SpaceId space, List<EvalDocument> documents) {
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
                  EvalDocument.StoredEvalDocument.TABLE,
                  new EvalDocument.StoredEvalDocument(
                      key(i), documents.get(i), linkedKeys(documents.get(i), keys)));
            }
            return until;
          });
    }
  }

  private static List<String> linkedKeys(EvalDocument document, Map<String, String> keys) {
    return document.links().stream().filter(keys::containsKey).map(keys::get).toList();
  }

  private static String key(int number) {
    return String.format(Locale.ROOT, "%08d", number);
  }

  private void awaitVectors(SpaceId space, String name) {
    index.awaitSequence(space, store.changes().head(space).sequence());
    long backlog = index.status(space).backlog();
    while (backlog > 0) {
      progressPrinter.printLine("%s: %,d documents wait for vectors".formatted(name, backlog));
      if (jobs.runDue(space) == 0) {
        Stopwatch.waitUntil(Stopwatch.nanosAfter(PAUSE));
      }
      index.awaitSequence(space, store.changes().head(space).sequence());
      backlog = index.status(space).backlog();
    }
    if (index.status(space).failed() > 0) {
      throw BenchException.notEmbedded(index.status(space).failed() + " documents of " + name);
    }
  }

  EvalAnswer search(
      EvalCorpus corpus, EvalQuestion question, Map<SearchChannel, Double> weights, int depth) {
    SearchQuery query =
        SearchQuery.of(space(corpus), question.text(), depth)
            .withWeights(weights)
            .withExplanation();
    List<EvalAnswer.EvalHit> hits =
        index.search(query).hits().stream().map(hit -> hit(corpus, hit)).toList();
    return new EvalAnswer(corpus.id(), question, hits);
  }

  private static EvalAnswer.EvalHit hit(EvalCorpus corpus, SearchHit hit) {
    return new EvalAnswer.EvalHit(
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
