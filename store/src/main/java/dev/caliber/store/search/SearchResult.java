package dev.caliber.store.search;

import java.util.List;
import java.util.Optional;

/**
 * Result of a query, best first; ties are broken by table and key.
 *
 * @param fusion the rule and weights by which channels were added
 * @param sequence the last commit that the index held when it answered
 * @param generation the index that answered
 * @param unembedded the number of documents of the space without a vector, which could not be
 *     compared by meaning
 * @param degraded why the answer is incomplete, such as dense search being off
 */
public record SearchResult(
    List<SearchHit> hits,
    String fusion,
    long sequence,
    String generation,
    long unembedded,
    Optional<String> degraded) {

  public SearchResult {
    hits = List.copyOf(hits);
  }
}
