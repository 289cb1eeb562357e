package dev.caliber.store.search.embed;

import java.util.List;

/**
 * Cached vectors of the chunks of one text.
 *
 * @param keys cache keys of the vectors, present or not
 */
public record CachedVectors(
    List<String> keys, List<float[]> vectors, boolean pending, boolean failed) {

  static final CachedVectors NONE = new CachedVectors(List.of(), List.of(), false, false);

  /** Result while the embedder is not available. */
  static final CachedVectors WAITING = new CachedVectors(List.of(), List.of(), true, false);

  public CachedVectors {
    keys = List.copyOf(keys);
    vectors = List.copyOf(vectors);
  }
}
