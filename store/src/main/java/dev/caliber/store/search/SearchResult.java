package dev.caliber.store.search;

import java.util.List;
import java.util.Optional;

/**
 * What a query found, best first; ties are broken by table and key.
 *
 * @param fusion the rule and weights by which channels were added
 * @param sequence the commit up to which the index was when it answered
 * @param generation the index that answered
 * @param unembedded how many documents of the space have no vector yet, and could not be compared
 *     by meaning
 * @param degraded why the answer is less than it could be, such as dense search being off
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
