package dev.caliber.store.search.embed;

import dev.caliber.store.Snapshot;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.VectorSimilarity;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lookup of the vectors of texts in the cache, which never calls the model. Without the embedder
 * that the recipe names, texts are reported as pending.
 */
public final class CachedVectorLookup {

  private final Optional<Embedder> embedder;
  private final IndexRecipe recipe;
  private final Chunker chunker;

  public CachedVectorLookup(Optional<Embedder> embedder, IndexRecipe recipe) {
    this.embedder = embedder.filter(_ -> recipe.fits(embedder));
    this.recipe = recipe;
    this.chunker = new Chunker(recipe.chunks());
  }

  /** Returns the chunks of a text that have to be embedded; none without a matching embedder. */
  public List<String> chunks(String text) {
    return embedder.isEmpty() ? List.of() : chunker.chunks(text);
  }

  public String hash(String chunk) {
    return embedder.orElseThrow().cacheKey(EmbeddingPurpose.PASSAGE, chunk);
  }

  public CachedVectors find(Snapshot snapshot, String text) {
    if (embedder.isEmpty()) {
      return recipe.model().isEmpty() || text.isEmpty()
          ? CachedVectors.NONE
          : CachedVectors.WAITING;
    }
    List<String> keys = new ArrayList<>();
    List<float[]> found = new ArrayList<>();
    boolean pending = false;
    boolean failed = false;
    for (String chunk : chunks(text)) {
      String key = hash(chunk);
      keys.add(key);
      Optional<CachedEmbedding> cached = get(snapshot, key);
      Optional<float[]> vector = cached.flatMap(this::usableVector);
      vector.ifPresent(found::add);
      pending |= cached.isEmpty();
      failed |= cached.isPresent() && vector.isEmpty();
    }
    return new CachedVectors(keys, found, pending, failed);
  }

  public Optional<CachedEmbedding> cached(Snapshot snapshot, String chunk) {
    return get(snapshot, hash(chunk));
  }

  private Optional<CachedEmbedding> get(Snapshot snapshot, String key) {
    return EmbeddingCache.get(snapshot, key, embedder.orElseThrow().model());
  }

  /** Returns the vector prepared for the index, if it has the right length and a direction. */
  private Optional<float[]> usableVector(CachedEmbedding cached) {
    return cached.failure().isPresent() || cached.vector().length != recipe.dimensions()
        ? Optional.empty()
        : VectorSimilarity.of(recipe.metric()).preparedVector(cached.vector());
  }
}
