package dev.caliber.store.search;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Vectors of the queries that were asked last; the one that was not asked for longest goes first.
 */
final class QueryCache {

  private static final float USUAL_LOAD = 0.75f;

  private final Map<String, float[]> vectors;

  QueryCache(int limit) {
    vectors =
        new LinkedHashMap<>(16, USUAL_LOAD, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, float[]> eldest) {
            return size() > limit;
          }
        };
  }

  synchronized Optional<float[]> get(String key) {
    return Optional.ofNullable(vectors.get(key));
  }

  synchronized void put(String key, float[] vector) {
    vectors.put(key, vector);
  }
}
