package dev.caliber.store.search;

import java.util.List;

/** What the cache has for the pieces of one text. */
record FoundVectors(List<float[]> vectors, boolean pending, boolean failed) {

  static final FoundVectors NONE = new FoundVectors(List.of(), false, false);

  /** Nobody can say, because the embedder is away. */
  static final FoundVectors WAITING = new FoundVectors(List.of(), true, false);

  FoundVectors {
    vectors = List.copyOf(vectors);
  }
}
