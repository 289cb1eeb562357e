package dev.caliber.store.search;

import java.util.List;

/**
 * What the cache has for the pieces of one text.
 *
 * @param keys where their vectors are, or will be
 */
record FoundVectors(List<String> keys, List<float[]> vectors, boolean pending, boolean failed) {

  static final FoundVectors NONE = new FoundVectors(List.of(), List.of(), false, false);

  /** Nobody can say, because the embedder is away. */
  static final FoundVectors WAITING = new FoundVectors(List.of(), List.of(), true, false);

  FoundVectors {
    keys = List.copyOf(keys);
    vectors = List.copyOf(vectors);
  }
}
