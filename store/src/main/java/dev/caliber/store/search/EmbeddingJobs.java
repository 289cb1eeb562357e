package dev.caliber.store.search;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Job;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRequest;
import dev.caliber.store.JobRun;
import dev.caliber.store.JobState;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import dev.caliber.store.spi.Embedding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Gives documents their vectors: one job for each space and model, a batch in each commit. */
final class EmbeddingJobs {

  static final String KIND = "search.embed";

  private final Machinery machinery;
  private final RecordStore store;
  private final Embedder embedder;
  private final Calibration calibration;
  private final Function<SpaceId, SpaceIndex> indexes;

  EmbeddingJobs(
      Machinery machinery,
      Embedder embedder,
      Calibration calibration,
      Function<SpaceId, SpaceIndex> indexes) {
    this.machinery = machinery;
    this.store = machinery.store();
    this.embedder = embedder;
    this.calibration = calibration;
    this.indexes = indexes;
  }

  /** Makes sure that a job is there; one that was given up is revived if asked. */
  void request(SpaceId space, boolean revive) {
    Optional<Job> present = store.read(space, this::present);
    boolean dead = present.map(job -> job.state() == JobState.DEAD).orElse(false);
    if (present.isEmpty() || (dead && revive)) {
      store.write(space, this::requestIn);
    }
  }

  private Optional<Job> present(Snapshot snapshot) {
    return snapshot
        .scan(Query.over(Jobs.TABLE, "kind", "deduplication").equal(KIND, embedder.model()), 1)
        .records()
        .stream()
        .findFirst();
  }

  private boolean requestIn(Transaction transaction) {
    Optional<Job> present = present(transaction);
    if (present.isEmpty()) {
      Jobs.schedule(
          transaction, JobRequest.of(KIND, "{}", transaction.now()).once(embedder.model()));
    } else if (present.get().state() == JobState.DEAD) {
      Jobs.revive(transaction, present.get().id());
    }
    return true;
  }

  /** Embeds until nothing waits. What was embedded stays even if a later batch fails. */
  JobEffect run(JobRun run) {
    run(run.space(), run::renew);
    return JobEffect.none();
  }

  /** The same for as long as it may go on, which is asked after each batch. */
  void run(SpaceId space, BooleanSupplier mayGoOn) {
    SpaceIndex index = indexes.apply(space);
    calibration.of(space);
    List<String> before = List.of();
    List<String> waiting = pending(index);
    while (!waiting.isEmpty() && !waiting.equals(before)) {
      embed(space, waiting);
      before = waiting;
      waiting = mayGoOn.getAsBoolean() ? pending(index) : List.of();
    }
  }

  private List<String> pending(SpaceIndex index) {
    while (index.work()) {
      // until all that was committed is in the index
    }
    return index.pending(machinery.config().embedding().documents());
  }

  private void embed(SpaceId space, List<String> documents) {
    Map<String, String> missing = store.read(space, snapshot -> missing(snapshot, documents));
    List<CachedEmbedding> made = new ArrayList<>();
    Optional<Embedding.Failure> passing = call(missing, made);
    if (!made.isEmpty() || missing.isEmpty()) {
      store.write(space, transaction -> keep(transaction, made, documents));
    }
    if (passing.isPresent()) {
      throw SearchException.embeddingFailed(
          passing.get().code().text() + ": " + passing.get().message());
    }
  }

  /** Pieces without a vector by their hash; unchanged text has one. */
  private Map<String, String> missing(Snapshot snapshot, List<String> documents) {
    VectorSource source = new VectorSource(Optional.of(embedder), machinery.recipe());
    DocumentMaker maker = maker(source);
    Map<String, String> missing = new LinkedHashMap<>();
    for (String id : documents) {
      for (String chunk : source.chunks(maker.embeddedText(snapshot, id))) {
        if (source.cached(snapshot, chunk).isEmpty()) {
          missing.put(source.hash(chunk), chunk);
        }
      }
    }
    return missing;
  }

  private DocumentMaker maker(VectorSource source) {
    return new DocumentMaker(
        machinery.declared(),
        new Analysis(machinery.config().analysis()),
        source,
        Similarity.of(machinery.config().dense().metric()));
  }

  /** Embeds in batches; stops at the first failure that may pass, and returns it. */
  private Optional<Embedding.Failure> call(
      Map<String, String> missing, List<CachedEmbedding> made) {
    List<Map.Entry<String, String>> all = List.copyOf(missing.entrySet());
    int batch = machinery.config().embedding().batch();
    for (int start = 0; start < all.size(); start += batch) {
      Optional<Embedding.Failure> passing =
          callOnce(all.subList(start, Math.min(all.size(), start + batch)), made);
      if (passing.isPresent()) {
        return passing;
      }
    }
    return Optional.empty();
  }

  private Optional<Embedding.Failure> callOnce(
      List<Map.Entry<String, String>> batch, List<CachedEmbedding> made) {
    List<Embedding> answers =
        embedder.embed(Purpose.PASSAGE, batch.stream().map(Map.Entry::getValue).toList());
    Optional<Embedding.Failure> passing = Optional.empty();
    for (int i = 0; i < batch.size(); i++) {
      Embedding answer = answers.get(i);
      if (answer instanceof Embedding.Failure failure && failure.retryable()) {
        passing = Optional.of(failure);
      } else {
        made.add(cached(batch.get(i).getKey(), answer));
      }
    }
    return passing;
  }

  private CachedEmbedding cached(String hash, Embedding answer) {
    return switch (answer) {
      case Embedding.Vector(var values) ->
          new CachedEmbedding(
              hash,
              embedder.model(),
              machinery.clock().instant(),
              Optional.empty(),
              EmbeddedVector.checked(values, embedder.dimensions()));
      case Embedding.Failure failure ->
          new CachedEmbedding(
              hash,
              embedder.model(),
              machinery.clock().instant(),
              Optional.of(failure.code().text() + ": " + failure.message()),
              new float[0]);
    };
  }

  private boolean keep(
      Transaction transaction, List<CachedEmbedding> made, List<String> documents) {
    made.forEach(embedding -> EmbeddingCache.insert(transaction, embedding, embedder.dimensions()));
    transaction.insert(
        EmbeddingCache.BATCHES,
        new EmbeddingBatch(transaction.newId(), transaction.now(), documents));
    EmbeddingCache.dropBatchesBefore(
        transaction,
        transaction.now().minus(machinery.config().embedding().retention()),
        machinery.records());
    return true;
  }
}
