package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.format.RecordIdLookup;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.lucene.search.IndexSearcher;

/** All candidates of one query. */
final class SearchCandidateSet {

  private final Map<String, SearchCandidate> candidates = new TreeMap<>();
  private final RecordIdLookup ids;

  SearchCandidateSet(IndexSearcher searcher) {
    ids = new RecordIdLookup(searcher.getIndexReader());
  }

  /** Adds the candidate of this document, which is the first one of its record. */
  SearchCandidate add(int document) throws IOException {
    return candidates.computeIfAbsent(ids.id(document), id -> new SearchCandidate(id, document));
  }

  /** Returns the candidates in the order of ids. */
  Collection<SearchCandidate> all() {
    return candidates.values();
  }

  /**
   * Returns the candidates in the order of Lucene's document numbers, in which files are read
   * forwards.
   */
  List<SearchCandidate> byDocument() {
    return candidates.values().stream()
        .sorted(Comparator.comparingInt(SearchCandidate::document))
        .toList();
  }

  boolean isEmpty() {
    return candidates.isEmpty();
  }

  /** Gives each candidate that the channel scored its rank in the channel's order, from 1. */
  void assignRanks(SearchChannel searchChannel) {
    int rank = 0;
    for (SearchCandidate searchCandidate : orderedBy(searchChannel)) {
      rank++;
      searchCandidate.setRank(searchChannel, rank);
    }
  }

  private List<SearchCandidate> orderedBy(SearchChannel searchChannel) {
    return candidates.values().stream()
        .filter(searchCandidate -> searchCandidate.rawScore(searchChannel).isPresent())
        .sorted(
            Comparator.<SearchCandidate>comparingDouble(
                    searchCandidate -> -searchCandidate.rawScore(searchChannel).getAsDouble())
                .thenComparing(SearchCandidate::id))
        .toList();
  }

  /** Returns the candidates grouped by the table of their record. */
  Collection<List<SearchCandidate>> byTable() {
    return candidates.values().stream()
        .collect(Collectors.groupingBy(SearchCandidate::table, TreeMap::new, Collectors.toList()))
        .values();
  }

  static OptionalDouble least(List<SearchCandidate> kind, SearchChannel searchChannel) {
    return kind.stream()
        .flatMapToDouble(searchCandidate -> searchCandidate.rawScore(searchChannel).stream())
        .min();
  }

  static OptionalDouble greatest(List<SearchCandidate> kind, SearchChannel searchChannel) {
    return kind.stream()
        .flatMapToDouble(searchCandidate -> searchCandidate.rawScore(searchChannel).stream())
        .max();
  }
}
