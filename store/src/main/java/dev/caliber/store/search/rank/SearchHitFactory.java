package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.embed.CalibratedSimilarity;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import java.util.List;
import java.util.OptionalDouble;

/** Converter of a candidate into a hit of the result. */
public final class SearchHitFactory {

  private SearchHitFactory() {}

  public static SearchHit hit(
      SearchCandidate searchCandidate,
      IndexRecipe recipe,
      PreparedQuery preparedQuery,
      SearchCandidateRanker searchCandidateRanker) {
    OptionalDouble raw = searchCandidate.rawScore(SearchChannel.DENSE);
    return new SearchHit(
        IndexFormatV1.tableOf(searchCandidate.id()),
        IndexFormatV1.keyOf(searchCandidate.id()),
        searchCandidate.score(),
        similarity(raw, recipe, preparedQuery),
        raw,
        preparedQuery.query().explain()
            ? searchCandidateRanker.explain(searchCandidate)
            : List.of());
  }

  private static OptionalDouble similarity(
      OptionalDouble raw, IndexRecipe recipe, PreparedQuery preparedQuery) {
    return raw.isEmpty() || preparedQuery.model().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            CalibratedSimilarity.calibrate(recipe, preparedQuery.model().get(), raw.getAsDouble()));
  }
}
