package dev.caliber.memory.pcp;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.Artifact;
import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks an index which artifacts mean nearly what one of them means, for one report and as of one
 * commit. What could not be compared is told once; after a failure nobody is asked again.
 */
final class Nearness {
  private static final int NEAREST_BOUND = 999;
  private static final String NO_VECTOR = "some have no vector yet";

  private final SpaceId space;
  private final long commit;
  private Optional<SearchIndex> index;
  private Optional<String> shortfall = Optional.empty();

  Nearness(Optional<SearchIndex> index, SpaceId space, long commit) {
    this.index = index;
    this.space = space;
    this.commit = commit;
  }

  /** Why not all were compared, if it is so. */
  Optional<String> shortfall() {
    return shortfall;
  }

  /** The keys of others, nearest first. */
  List<String> to(
      String key, String text, double similarity, int limit, Optional<SearchFilter> among) {
    return index
        .filter(_ -> !text.isBlank())
        .map(asked -> near(asked, key, query(text, similarity, limit, among)))
        .orElse(List.of());
  }

  /**
   * One more than wanted, because a text is nearest to itself, by vectors whatever else counts in
   * the order of hits.
   */
  private SearchQuery query(
      String text, double similarity, int limit, Optional<SearchFilter> among) {
    SearchQuery alike =
        SearchQuery.of(space, text, Math.min(limit, NEAREST_BOUND) + 1)
            .alike()
            .weighing(Map.of(Channel.DENSE, 1.0))
            .in(Artifact.TABLE.name())
            .atLeast(similarity)
            .after(commit);
    return among.map(alike::where).orElse(alike);
  }

  private List<String> near(SearchIndex asked, String key, SearchQuery query) {
    try {
      SearchResult found = asked.search(query);
      List<String> near =
          found.hits().stream()
              .filter(hit -> hit.similarity().isPresent())
              .map(SearchHit::key)
              .toList();
      boolean itself = near.contains(key) || near.size() == query.limit();
      if (!itself && asked.status(space).model().isPresent()) {
        shortfall = Optional.of(found.degraded().orElse(NO_VECTOR));
      }
      return near.stream().filter(other -> !other.equals(key)).toList();
    } catch (SearchException e) {
      index = Optional.empty();
      shortfall = Optional.of(e.code().text());
      return List.of();
    }
  }
}
