package dev.caliber.memory.pcp;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.Artifact;
import dev.caliber.store.search.SearchChannel;
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
 * Searches an index for artifacts with similar meaning, for one report and as of one commit. A
 * shortfall is reported once; after a failure the index is not asked again.
 */
final class SimilarArtifactSearch {
  private static final int NEAREST_BOUND = 999;
  private static final String NO_VECTOR = "some have no vector yet";

  private final SpaceId space;
  private final long commit;
  private Optional<SearchIndex> index;
  private Optional<String> shortfall = Optional.empty();

  SimilarArtifactSearch(Optional<SearchIndex> index, SpaceId space, long commit) {
    this.index = index;
    this.space = space;
    this.commit = commit;
  }

  /** Returns why not all artifacts were compared, if so. */
  Optional<String> incompleteReason() {
    return shortfall;
  }

  /** Returns the keys of similar artifacts, nearest first. */
  List<String> findSimilar(
      String key, String text, double similarity, int limit, Optional<SearchFilter> among) {
    return index
        .filter(_ -> !text.isBlank())
        .map(asked -> searchIndex(asked, key, query(text, similarity, limit, among)))
        .orElse(List.of());
  }

  /**
   * Asks for one hit more than the limit, because a text is nearest to itself; hits are ordered by
   * vectors alone.
   */
  private SearchQuery query(
      String text, double similarity, int limit, Optional<SearchFilter> among) {
    SearchQuery alike =
        SearchQuery.of(space, text, Math.min(limit, NEAREST_BOUND) + 1)
            .forSimilarTexts()
            .withWeights(Map.of(SearchChannel.DENSE, 1.0))
            .withTables(Artifact.TABLE.name())
            .withMinimumSimilarity(similarity)
            .withSequence(commit);
    return among.map(alike::withFilter).orElse(alike);
  }

  private List<String> searchIndex(SearchIndex asked, String key, SearchQuery query) {
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
