package dev.caliber.store.search;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Vectors of the queries that were asked last; the one that was not asked for longest goes first.
 */
final class QueryCache {

  private final int limit;
  private final Map<String, float[]> vectors = new LinkedHashMap<>();

  QueryCache(int limit) {
    this.limit = limit;
  }

  /** What is asked for becomes the newest. */
  synchronized Optional<float[]> get(String key) {
    float[] vector = vectors.remove(key);
    if (vector != null) {
      vectors.put(key, vector);
    }
    return Optional.ofNullable(vector);
  }

  synchronized void put(String key, float[] vector) {
    vectors.remove(key);
    vectors.put(key, vector);
    if (vectors.size() > limit) {
      vectors.remove(vectors.keySet().iterator().next());
    }
  }
}
