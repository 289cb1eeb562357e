package dev.caliber.store.search.embed;

import dev.caliber.kernel.KernelException;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchIndex;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cache of text vectors in the store, keyed by the hash of prefix and text and by the model. The
 * index reads its vectors from it, so that a rebuild calls no model.
 */
public final class EmbeddingCache {

  public static final Table<CachedEmbedding> EMBEDDINGS =
      Table.of(
              "embedding",
              "Vectors of texts by the hash of prefix and text, and by model.",
              CachedEmbedding.class,
              CachedEmbedding::key)
          .text("model", CachedEmbedding::model)
          .instant("created_at", CachedEmbedding::createdAt)
          .vector("vector", EmbeddingCache::vectorOrNull)
          .index("created_at")
          .withoutFeed();

  public static final Table<EmbeddingModelStatistics> MODELS =
      Table.of(
              "embedding_model",
              "What was measured of each embedding model.",
              EmbeddingModelStatistics.class,
              EmbeddingModelStatistics::model)
          .integer("dimensions", EmbeddingModelStatistics::dimensions)
          .real("baseline", EmbeddingModelStatistics::baseline)
          .withoutFeed();

  public static final Table<EmbeddingNotification> BATCHES =
      Table.of(
              "embedding_batch",
              "Which documents have lately been given vectors.",
              EmbeddingNotification.class,
              EmbeddingNotification::id)
          .instant("created_at", EmbeddingNotification::createdAt)
          .index("created_at");

  private EmbeddingCache() {}

  private static float @Nullable [] vectorOrNull(CachedEmbedding embedding) {
    return embedding.vector();
  }

  public static Optional<CachedEmbedding> get(Snapshot snapshot, String hash, String model) {
    return snapshot.find(EMBEDDINGS, CachedEmbedding.key(hash, model));
  }

  /** Stores a vector, replacing the one with its key; its length is the model's. */
  public static void insert(Transaction transaction, CachedEmbedding embedding, int dimensions) {
    if (embedding.failure().isEmpty() && embedding.vector().length != dimensions) {
      throw KernelException.dimensionMismatch(dimensions, embedding.vector().length);
    }
    transaction.put(EMBEDDINGS, embedding);
  }

  /** Removes the vectors of a text for every model. */
  public static void delete(Transaction transaction, String hash, int page) {
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
   * Checks a page of vectors older than this time. Those in use get the time of this commit, so
   * that each is checked once per retention; the others are deleted.
   */
  public static SearchIndex.VectorPruneResult prune(
      Transaction transaction, Instant time, int page, Predicate<CachedEmbedding> inUse) {
    Map<Boolean, List<CachedEmbedding>> old =
        transaction.scan(Query.over(EMBEDDINGS, "created_at").until(time), page).records().stream()
            .collect(Collectors.partitioningBy(inUse));
    List<CachedEmbedding> used = old.getOrDefault(true, List.of());
    List<CachedEmbedding> unused = old.getOrDefault(false, List.of());
    used.forEach(
        embedding -> transaction.put(EMBEDDINGS, embedding.withCreatedAt(transaction.now())));
    unused.forEach(embedding -> transaction.delete(EMBEDDINGS, embedding.key()));
    return new SearchIndex.VectorPruneResult(unused.size(), used.size() + unused.size() == page);
  }

  public static void dropBatchesBefore(Transaction transaction, Instant time, int page) {
    List<EmbeddingNotification> old =
        transaction.scan(Query.over(BATCHES, "created_at").until(time), page).records();
    old.forEach(batch -> transaction.delete(BATCHES, batch.id()));
  }
}
