package dev.caliber.store.search;

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
final class Pool {

  private final Map<String, Candidate> candidates = new TreeMap<>();
  private final DocumentIds ids;

  Pool(IndexSearcher searcher) {
    ids = new DocumentIds(searcher.getIndexReader());
  }

  /** The candidate of this document, which is the first of its record. */
  Candidate add(int document) throws IOException {
    return candidates.computeIfAbsent(ids.id(document), id -> new Candidate(id, document));
  }

  /** In the order of ids. */
  Collection<Candidate> all() {
    return candidates.values();
  }

  /** In the order of Lucene's numbers, in which files are read forwards. */
  List<Candidate> byDocument() {
    return candidates.values().stream()
        .sorted(Comparator.comparingInt(Candidate::document))
        .toList();
  }

  boolean isEmpty() {
    return candidates.isEmpty();
  }

  /** Gives each candidate that the channel knows its place in the channel's order, from 1. */
  void rank(Channel channel) {
    int rank = 0;
    for (Candidate candidate : ordered(channel)) {
      rank++;
      candidate.rank(channel, rank);
    }
  }

  private List<Candidate> ordered(Channel channel) {
    return candidates.values().stream()
        .filter(candidate -> candidate.raw(channel).isPresent())
        .sorted(
            Comparator.<Candidate>comparingDouble(
                    candidate -> -candidate.raw(channel).getAsDouble())
                .thenComparing(Candidate::id))
        .toList();
  }

  /** Candidates by the table of their record. */
  Collection<List<Candidate>> kinds() {
    return candidates.values().stream()
        .collect(Collectors.groupingBy(Candidate::kind, TreeMap::new, Collectors.toList()))
        .values();
  }

  static OptionalDouble least(List<Candidate> kind, Channel channel) {
    return kind.stream().flatMapToDouble(candidate -> candidate.raw(channel).stream()).min();
  }

  static OptionalDouble greatest(List<Candidate> kind, Channel channel) {
    return kind.stream().flatMapToDouble(candidate -> candidate.raw(channel).stream()).max();
  }
}
