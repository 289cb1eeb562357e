package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
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
 * What searches brought, by kind and id.
 *
 * @param searched whether the index was asked at all
 * @param cut kinds of which there may be more hits than were asked for
 * @param sessions turns of the subject's other sessions
 */
record Found(
    boolean searched,
    Map<SourceKind, List<SearchHit>> hits,
    Set<SourceKind> cut,
    List<String> generations,
    Optional<String> degraded,
    List<SearchHit> sessions) {

  static Found nothing() {
    return new Found(false, Map.of(), Set.of(), List.of(), Optional.empty(), List.of());
  }

  /** The index has not caught up; words of the newest records have to do. */
  static Found behind(String message) {
    return new Found(false, Map.of(), Set.of(), List.of(), Optional.of(message), List.of());
  }

  static Found of(Map<SourceKind, SearchResult> results, Map<SourceKind, Integer> limits) {
    Map<SourceKind, List<SearchHit>> hits = new HashMap<>();
    Set<SourceKind> cut = new HashSet<>();
    List<String> generations = new ArrayList<>();
    results.forEach(
        (kind, result) -> {
          hits.put(kind, result.hits());
          if (result.hits().size() >= limits.getOrDefault(kind, 0)) {
            cut.add(kind);
          }
          generations.add(kind.word() + " " + result.generation());
        });
    generations.sort(null);
    return new Found(true, hits, cut, generations, degraded(results), List.of());
  }

  /** With turns of other sessions. */
  Found and(SearchResult others) {
    List<String> all = new ArrayList<>(generations);
    all.add(Rules.SESSIONS + " " + others.generation());
    return new Found(searched, hits, cut, all, degraded, others.hits());
  }

  /** What the index says of itself, and which hits it could not compare. */
  private static Optional<String> degraded(Map<SourceKind, SearchResult> results) {
    String reasons =
        Stream.concat(
                results.values().stream().flatMap(result -> result.degraded().stream()).distinct(),
                results.entrySet().stream()
                    .flatMap(found -> uncompared(found.getKey(), found.getValue()).stream()))
            .collect(Collectors.joining("; "));
    return Optional.of(reasons).filter(text -> !text.isEmpty());
  }

  /** Where vectors were compared at all. */
  private static Optional<String> uncompared(SourceKind kind, SearchResult result) {
    int all = result.hits().size();
    long without = result.hits().stream().filter(hit -> hit.similarity().isEmpty()).count();
    return without == 0 || without == all
        ? Optional.empty()
        : Optional.of(
            "%d of %d hits (%s) have no vector: neutral".formatted(without, all, kind.word()));
  }

  /** Found by rules or for a scope that are no longer those at hand. */
  Found by(long sequence) {
    String reason = "searched by the rules and the scope of commit " + sequence;
    return new Found(
        searched,
        hits,
        cut,
        generations,
        Optional.of(degraded.map(before -> before + "; " + reason).orElse(reason)),
        sessions);
  }

  List<SearchHit> of(SourceKind kind) {
    return hits.getOrDefault(kind, List.of());
  }

  Optional<SearchHit> of(SourceKind kind, Id id) {
    String key = id.toString();
    return of(kind).stream().filter(hit -> hit.key().equals(key)).findFirst();
  }
}
