package dev.caliber.store.search.embed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class QueryCacheTest {

  @Test
  @DisplayName(
      "LLM-10, CTX-03: vectors of queries are cached in memory; the least recently used is evicted first")
  void theLeastLatelyAskedGoesFirst() {
    QueryVectorCache cache = new QueryVectorCache(2);
    cache.put("a", new float[] {1});
    cache.put("b", new float[] {2});
    assertThat(cache.get("a")).isPresent();
    cache.put("c", new float[] {3});
    assertThat(cache.get("b")).isEmpty();
    assertThat(cache.get("a").orElseThrow()).containsExactly(1);
    assertThat(cache.get("c").orElseThrow()).containsExactly(3);
  }

  @Test
  void aCacheOfNothingKeepsNothing() {
    QueryVectorCache cache = new QueryVectorCache(0);
    cache.put("a", new float[] {1});
    assertThat(cache.get("a")).isEmpty();
  }
}
