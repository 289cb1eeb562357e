package dev.caliber.store.search;

import dev.caliber.store.Snapshot;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds vectors for texts in the cache; never calls the model. Without the embedder that the recipe
 * names, texts wait for it.
 */
final class VectorSource {

  private final Optional<Embedder> embedder;
  private final IndexRecipe recipe;
  private final Chunker chunker;

  VectorSource(Optional<Embedder> embedder, IndexRecipe recipe) {
    this.embedder = embedder.filter(_ -> recipe.fits(embedder));
    this.recipe = recipe;
    this.chunker = new Chunker(recipe.chunks());
  }

  /** The pieces of a text that have to be embedded; none without an embedder that fits. */
  List<String> chunks(String text) {
    return embedder.isEmpty() ? List.of() : chunker.chunks(text);
  }

  String hash(String chunk) {
    return embedder.orElseThrow().cacheKey(Purpose.PASSAGE, chunk);
  }

  FoundVectors find(Snapshot snapshot, String text) {
    if (embedder.isEmpty()) {
      return recipe.model().isEmpty() || text.isEmpty() ? FoundVectors.NONE : FoundVectors.WAITING;
    }
    List<String> keys = new ArrayList<>();
    List<float[]> found = new ArrayList<>();
    boolean pending = false;
    boolean failed = false;
    for (String chunk : chunks(text)) {
      String key = hash(chunk);
      keys.add(key);
      Optional<CachedEmbedding> cached = get(snapshot, key);
      Optional<float[]> vector = cached.flatMap(this::usable);
      vector.ifPresent(found::add);
      pending |= cached.isEmpty();
      failed |= cached.isPresent() && vector.isEmpty();
    }
    return new FoundVectors(keys, found, pending, failed);
  }

  Optional<CachedEmbedding> cached(Snapshot snapshot, String chunk) {
    return get(snapshot, hash(chunk));
  }

  private Optional<CachedEmbedding> get(Snapshot snapshot, String key) {
    return EmbeddingCache.get(snapshot, key, embedder.orElseThrow().model());
  }

  /** A vector of the right length with a direction, ready for the index. */
  private Optional<float[]> usable(CachedEmbedding cached) {
    return cached.failure().isPresent() || cached.vector().length != recipe.dimensions()
        ? Optional.empty()
        : Similarity.of(recipe.metric()).prepared(cached.vector());
  }
}
