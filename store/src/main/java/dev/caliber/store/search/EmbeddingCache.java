package dev.caliber.store.search;

import dev.caliber.kernel.KernelException;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Vectors of texts, kept in the store: key (hash of prefix and text, model). They are where the
 * index gets its vectors from, so that a rebuild calls no model.
 */
public final class EmbeddingCache {

  static final Table<CachedEmbedding> EMBEDDINGS =
      Table.of(
              "embedding",
              "Vectors of texts by the hash of prefix and text, and by model.",
              CachedEmbedding.class,
              CachedEmbedding::key)
          .text("model", CachedEmbedding::model)
          .instant("created_at", CachedEmbedding::createdAt)
          .vector("vector", EmbeddingCache::vectorOrNull)
          .index("created_at")
          .quiet();

  static final Table<EmbeddingModel> MODELS =
      Table.of(
              "embedding_model",
              "What was measured of each embedding model.",
              EmbeddingModel.class,
              EmbeddingModel::model)
          .integer("dimensions", EmbeddingModel::dimensions)
          .real("baseline", EmbeddingModel::baseline)
          .quiet();

  static final Table<EmbeddingBatch> BATCHES =
      Table.of(
              "embedding_batch",
              "Which documents have lately been given vectors.",
              EmbeddingBatch.class,
              EmbeddingBatch::id)
          .instant("created_at", EmbeddingBatch::createdAt)
          .index("created_at");

  private EmbeddingCache() {}

  private static float @Nullable [] vectorOrNull(CachedEmbedding embedding) {
    return embedding.vector();
  }

  public static Optional<CachedEmbedding> get(Snapshot snapshot, String hash, String model) {
    return snapshot.find(EMBEDDINGS, CachedEmbedding.key(hash, model));
  }

  /** Keeps a vector in place of the one with its key; its length is the model's. */
  public static void insert(Transaction transaction, CachedEmbedding embedding, int dimensions) {
    if (embedding.failure().isEmpty() && embedding.vector().length != dimensions) {
      throw KernelException.dimensionMismatch(dimensions, embedding.vector().length);
    }
    transaction.put(EMBEDDINGS, embedding);
  }

  /** Removes what every model has made of a text. */
  static void delete(Transaction transaction, String hash, int page) {
    transaction
        .scan(
            Query.over(EMBEDDINGS)
                .from(CachedEmbedding.key(hash, ""))
                .until(CachedEmbedding.keyAfter(hash)),
            page)
        .records()
        .forEach(embedding -> transaction.delete(EMBEDDINGS, embedding.key()));
  }

  /**
   * Looks at a page of vectors from before this time: those in use are written anew with the time
   * of this commit, so that each is looked at once in a retention, the others go.
   */
  static SearchIndex.Pruned prune(
      Transaction transaction, Instant time, int page, Predicate<CachedEmbedding> inUse) {
    Map<Boolean, List<CachedEmbedding>> old =
        transaction.scan(Query.over(EMBEDDINGS, "created_at").until(time), page).records().stream()
            .collect(Collectors.partitioningBy(inUse));
    List<CachedEmbedding> used = old.getOrDefault(true, List.of());
    List<CachedEmbedding> unused = old.getOrDefault(false, List.of());
    used.forEach(embedding -> transaction.put(EMBEDDINGS, embedding.seenAt(transaction.now())));
    unused.forEach(embedding -> transaction.delete(EMBEDDINGS, embedding.key()));
    return new SearchIndex.Pruned(unused.size(), used.size() + unused.size() == page);
  }

  static void dropBatchesBefore(Transaction transaction, Instant time, int page) {
    List<EmbeddingBatch> old =
        transaction.scan(Query.over(BATCHES, "created_at").until(time), page).records();
    old.forEach(batch -> transaction.delete(BATCHES, batch.id()));
  }
}
