package dev.caliber.store.search.index;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.embed.CachedEmbedding;
import dev.caliber.store.search.embed.CachedVectorLookup;
import dev.caliber.store.search.embed.EmbeddingCache;
import dev.caliber.store.search.embed.EmbeddingNotification;
import dev.caliber.store.search.embed.EmbeddingValidator;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One pass over the pending documents. Vectors of a few documents are stored per commit; followers
 * are notified of many at once, because each notification costs them a new search of the index. A
 * crash in between loses nothing: the documents are still pending, and their vectors are in the
 * cache.
 */
final class EmbeddingPass {

  /** Fraction of a lease after which it is renewed: one third. */
  private static final int THIRDS = 3;

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final RecordStore store;
  private final Embedder embedder;
  private final SpaceId space;
  private final BooleanSupplier renewal;
  private final LongConsumer progress;
  private final List<String> unpublished = new ArrayList<>();
  private Optional<Embedding.Failure> failure = Optional.empty();
  private Instant lastPublished;
  private Instant renewed;
  private boolean leaseHeld = true;
  private long done;

  /**
   * Creates a pass.
   *
   * @param renewal called from time to time; returns whether to continue
   * @param progress receives the number of finished documents
   */
  EmbeddingPass(
      SpaceIndexDependencies spaceIndexDependencies,
      Embedder embedder,
      SpaceId space,
      BooleanSupplier renewal,
      LongConsumer progress) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.store = spaceIndexDependencies.store();
    this.embedder = embedder;
    this.space = space;
    this.renewal = renewal;
    this.progress = progress;
    this.lastPublished = spaceIndexDependencies.clock().instant();
    this.renewed = lastPublished;
  }

  SpaceId space() {
    return space;
  }

  /** Embeds some documents. Returns true if there may be more, false if the pass must stop. */
  boolean embed(PendingEmbeddings pendingEmbeddings) {
    CachedVectorLookup source =
        new CachedVectorLookup(Optional.of(embedder), pendingEmbeddings.recipe());
    List<String> documents = pendingEmbeddings.documents();
    int step = spaceIndexDependencies.config().embedding().documentsPerCommit();
    boolean going = true;
    for (int start = 0; start < documents.size() && going; start += step) {
      going =
          embedGroup(source, documents.subList(start, Math.min(documents.size(), start + step)));
    }
    publishDocuments();
    return going;
  }

  /**
   * Returns whether to continue: one failing text does not block others, but an embedder without
   * any result is not called again.
   */
  private boolean canContinue(boolean moved) {
    return leaseHeld && moved && failure.flatMap(Embedding.Failure::retryAfter).isEmpty();
  }

  void requireSuccess() {
    failure.ifPresent(
        found -> {
          throw SearchException.embeddingFailed(found);
        });
  }

  private boolean embedGroup(CachedVectorLookup source, List<String> documents) {
    Map<String, String> missing =
        store.read(space, snapshot -> missingChunks(snapshot, source, documents));
    List<CachedEmbedding> made = embedMissing(missing);
    if (!made.isEmpty()) {
      store.write(space, transaction -> storeEmbeddings(transaction, source, documents, made));
    }
    boolean moved = !made.isEmpty() || missing.isEmpty();
    if (moved) {
      unpublished.addAll(documents);
      done += documents.size();
      progress.accept(done);
      publishIfDue();
    }
    return canContinue(moved);
  }

  /** Returns the chunks without a cached vector, by hash. */
  private Map<String, String> missingChunks(
      Snapshot snapshot, CachedVectorLookup source, List<String> documents) {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String id : documents) {
      for (String chunk :
          source.chunks(spaceIndexDependencies.declarations().embeddedText(snapshot, id))) {
        if (source.cached(snapshot, chunk).isEmpty()) {
          missing.put(source.hash(chunk), chunk);
        }
      }
    }
    return missing;
  }

  /** Embeds in batches; a batch that fails as a whole ends the group. */
  private List<CachedEmbedding> embedMissing(Map<String, String> missing) {
    List<Map.Entry<String, String>> all = List.copyOf(missing.entrySet());
    List<CachedEmbedding> made = new ArrayList<>();
    int batch = spaceIndexDependencies.config().embedding().batch();
    int before = -1;
    for (int start = 0; start < all.size() && made.size() > before && leaseHeld; start += batch) {
      before = made.size();
      embedBatch(all.subList(start, Math.min(all.size(), start + batch)), made);
      renewLeaseIfDue();
    }
    return made;
  }

  private void embedBatch(List<Map.Entry<String, String>> batch, List<CachedEmbedding> made) {
    List<Embedding> answers =
        embedder.embed(EmbeddingPurpose.PASSAGE, batch.stream().map(Map.Entry::getValue).toList());
    for (int i = 0; i < batch.size(); i++) {
      Embedding answer = answers.get(i);
      if (answer instanceof Embedding.Failure found && !found.causedByText()) {
        failure = Optional.of(found);
      } else {
        made.add(cacheEntry(batch.get(i).getKey(), answer));
      }
    }
  }

  private CachedEmbedding cacheEntry(String hash, Embedding answer) {
    return switch (answer) {
      case Embedding.Vector(var values) ->
          new CachedEmbedding(
              hash,
              embedder.model(),
              spaceIndexDependencies.clock().instant(),
              Optional.empty(),
              EmbeddingValidator.requireValid(values, embedder.dimensions()));
      case Embedding.Failure found ->
          new CachedEmbedding(
              hash,
              embedder.model(),
              spaceIndexDependencies.clock().instant(),
              Optional.of(found.toLine()),
              new float[0]);
    };
  }

  /**
   * Stores only vectors that are still needed: a text may have been forgotten while the model ran.
   */
  private boolean storeEmbeddings(
      Transaction transaction,
      CachedVectorLookup source,
      List<String> documents,
      List<CachedEmbedding> made) {
    Set<String> wanted = missingChunks(transaction, source, documents).keySet();
    made.stream()
        .filter(embedding -> wanted.contains(embedding.hash()))
        .forEach(embedding -> EmbeddingCache.insert(transaction, embedding, embedder.dimensions()));
    return true;
  }

  private void publishIfDue() {
    if (hasElapsed(lastPublished, spaceIndexDependencies.config().indexing().interval())) {
      publishDocuments();
    }
  }

  private void publishDocuments() {
    lastPublished = spaceIndexDependencies.clock().instant();
    if (!unpublished.isEmpty()) {
      List<String> documents = List.copyOf(unpublished);
      unpublished.clear();
      store.write(space, transaction -> insertBatches(transaction, documents));
    }
  }

  private boolean insertBatches(Transaction transaction, List<String> documents) {
    int step = spaceIndexDependencies.recordsPerStep();
    for (int start = 0; start < documents.size(); start += step) {
      List<String> some = documents.subList(start, Math.min(documents.size(), start + step));
      transaction.insert(
          EmbeddingCache.BATCHES,
          new EmbeddingNotification(transaction.newId(), transaction.now(), some));
    }
    EmbeddingCache.dropBatchesBefore(
        transaction,
        transaction.now().minus(spaceIndexDependencies.config().embedding().batchRetention()),
        spaceIndexDependencies.recordsPerStep());
    return true;
  }

  private void renewLeaseIfDue() {
    if (hasElapsed(
        renewed, spaceIndexDependencies.storeConfig().jobs().leaseDuration().dividedBy(THIRDS))) {
      renewed = spaceIndexDependencies.clock().instant();
      leaseHeld = renewal.getAsBoolean();
    }
  }

  private boolean hasElapsed(Instant start, Duration pause) {
    return !spaceIndexDependencies.clock().instant().isBefore(start.plus(pause));
  }
}
