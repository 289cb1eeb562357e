package dev.caliber.bench.eval;

import dev.caliber.bench.harness.IndexedStore;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.spi.Embedder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The store, the index and the model as users have them, with one space for each corpus. */
final class EvalStore implements AutoCloseable {

  private static final int BATCH = 500;

  private final IndexedStore opened;
  private final ProgressPrinter progressPrinter;

  private EvalStore(IndexedStore opened, ProgressPrinter progressPrinter) {
    this.opened = opened;
    this.progressPrinter = progressPrinter;
  }

  static EvalStore open(
      StoreConfig.EngineSettings engine,
      Path indexes,
      Optional<Embedder> embedder,
      ProgressPrinter progressPrinter) {
    return new EvalStore(
        IndexedStore.open(
            StoreConfig.starter().withEngine(engine),
            IndexedStore.patient(SearchConfig.starter(), indexes),
            Stopwatch.clock(),
            embedder,
            List.of(EvalDocument.StoredEvalDocument.TABLE),
            List.of(EvalDocument.StoredEvalDocument.SEARCHABLE)),
        progressPrinter);
  }

  private static SpaceId space(EvalCorpus corpus) {
    String documents =
        corpus.documents().stream().map(EvalDocument::toString).collect(Collectors.joining("\n"));
    return IndexedStore.spaceOf(corpus.id(), documents);
  }

  /** Stores the documents and waits until words and vectors of all of them are in the index. */
  void load(EvalCorpus corpus) {
    SpaceId space = space(corpus);
    if (!opened.store().spaces().contains(space)) {
      opened.store().createSpace(space);
      writeDocuments(space, corpus.documents());
    }
    opened.awaitVectors(space, corpus.id(), progressPrinter, _ -> {});
  }

  private void writeDocuments(SpaceId space, List<EvalDocument> documents) {
    Map<String, String> keys = new HashMap<>();
    for (int i = 0; i < documents.size(); i++) {
      keys.put(documents.get(i).id(), key(i));
    }
    for (int start = 0; start < documents.size(); start += BATCH) {
      int from = start;
      int until = Math.min(documents.size(), start + BATCH);
      opened
          .store()
          .write(
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

  EvalAnswer search(
      EvalCorpus corpus, EvalQuestion question, Map<SearchChannel, Double> weights, int depth) {
    SearchQuery query =
        SearchQuery.of(space(corpus), question.text(), depth)
            .withWeights(weights)
            .withExplanation();
    List<EvalAnswer.EvalHit> hits =
        opened.index().search(query).hits().stream().map(hit -> hit(corpus, hit)).toList();
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
    opened.close();
  }
}
