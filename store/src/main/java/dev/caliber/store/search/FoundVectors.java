package dev.caliber.store.search;

import java.util.List;

/** What the cache has for the pieces of one text. */
record FoundVectors(List<float[]> vectors, boolean pending, boolean failed) {

  static final FoundVectors NONE = new FoundVectors(List.of(), false, false);

  FoundVectors {
    vectors = List.copyOf(vectors);
  }
}
