package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Hits of the searches by kind and id.
 *
 * @param searched whether the index was searched
 * @param truncatedKinds kinds that may have more hits than requested
 * @param sessionHits turns of the subject's other sessions
 */
public record CandidateSearchResult(
    boolean searched,
    Map<SourceKind, List<SearchHit>> hits,
    Set<SourceKind> truncatedKinds,
    List<String> generations,
    Optional<String> degraded,
    List<SearchHit> sessionHits) {

  public static CandidateSearchResult notSearched() {
    return new CandidateSearchResult(
        false, Map.of(), Set.of(), List.of(), Optional.empty(), List.of());
  }

  /**
   * Returns an empty result, because the index is behind; the newest records are ranked by words
   * instead.
   */
  public static CandidateSearchResult indexBehind(String message) {
    return new CandidateSearchResult(
        false, Map.of(), Set.of(), List.of(), Optional.of(message), List.of());
  }

  static CandidateSearchResult of(
      Map<SourceKind, SearchResult> results, Map<SourceKind, Integer> limits) {
    Map<SourceKind, List<SearchHit>> hits = new HashMap<>();
    Set<SourceKind> cut = new HashSet<>();
    List<String> generations = new ArrayList<>();
    results.forEach(
        (kind, result) -> {
          hits.put(kind, result.hits());
          if (result.hits().size() >= limits.getOrDefault(kind, 0)) {
            cut.add(kind);
          }
          generations.add(kind.lowerCaseName() + " " + result.generation());
        });
    generations.sort(null);
    return new CandidateSearchResult(
        true, hits, cut, generations, degradedReason(results), List.of());
  }

  /** Adds turns of other sessions. */
  CandidateSearchResult withSessionHits(SearchResult others) {
    List<String> all = new ArrayList<>(generations);
    all.add(SectionRuleFactory.SESSIONS + " " + others.generation());
    return new CandidateSearchResult(searched, hits, truncatedKinds, all, degraded, others.hits());
  }

  /** Returns the degradation that the index reports, and the number of hits without vectors. */
  private static Optional<String> degradedReason(Map<SourceKind, SearchResult> results) {
    String reasons =
        Stream.concat(
                results.values().stream().flatMap(result -> result.degraded().stream()).distinct(),
                results.entrySet().stream()
                    .flatMap(
                        found -> uncomparedHitsText(found.getKey(), found.getValue()).stream()))
            .collect(Collectors.joining("; "));
    return Optional.of(reasons).filter(text -> !text.isEmpty());
  }

  /** Returns a text only if vectors were compared at all. */
  private static Optional<String> uncomparedHitsText(SourceKind kind, SearchResult result) {
    int all = result.hits().size();
    long without = result.hits().stream().filter(hit -> hit.similarity().isEmpty()).count();
    return without == 0 || without == all
        ? Optional.empty()
        : Optional.of(
            "%d of %d hits (%s) have no vector and get the neutral relevance (context.relevance.default-score)"
                .formatted(without, all, kind.lowerCaseName()));
  }

  /** Marks the result as found by rules or a scope that have changed since. */
  public CandidateSearchResult withOutdatedPlan(long sequence) {
    String reason = "searched by the injection rules and the open scope as of commit " + sequence;
    return new CandidateSearchResult(
        searched,
        hits,
        truncatedKinds,
        generations,
        Optional.of(degraded.map(before -> before + "; " + reason).orElse(reason)),
        sessionHits);
  }

  List<SearchHit> hitsOf(SourceKind kind) {
    return hits.getOrDefault(kind, List.of());
  }

  Optional<SearchHit> findHit(SourceKind kind, Id id) {
    String key = id.toString();
    return hitsOf(kind).stream().filter(hit -> hit.key().equals(key)).findFirst();
  }
}
