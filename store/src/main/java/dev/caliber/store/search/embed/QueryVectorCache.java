package dev.caliber.store.search.embed;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Cache of query vectors that evicts the least recently used one. */
final class QueryVectorCache {

  private final int limit;
  private final Map<String, float[]> vectors = new LinkedHashMap<>();

  QueryVectorCache(int limit) {
    this.limit = limit;
  }

  /** Returns the vector and makes it the most recently used. */
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
