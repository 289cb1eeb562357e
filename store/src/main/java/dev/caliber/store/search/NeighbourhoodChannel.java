package dev.caliber.store.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.search.IndexSearcher;

/** The documents right before and after a hit speak for it, the nearer the more. */
final class NeighbourhoodChannel {

  private final SearchConfig.Ranking rules;
  private final Sequences sequences;

  NeighbourhoodChannel(IndexSearcher searcher, SearchConfig.Ranking rules) {
    this.rules = rules;
    this.sequences = new Sequences(searcher);
  }

  /** Adds the neighbours' scores, each with its decay; a base is what other channels say. */
  void score(Collection<Candidate> candidates) throws IOException {
    Map<Integer, Candidate> known = new HashMap<>();
    candidates.forEach(candidate -> known.put(candidate.document(), candidate));
    for (Candidate candidate : candidates) {
      double sum = 0;
      for (Neighbour neighbour : neighbours(candidate)) {
        Candidate other = known.get(neighbour.document);
        sum += other == null ? 0 : other.score() * Math.pow(rules.decay(), neighbour.distance - 1);
      }
      if (sum > 0) {
        candidate.raw(Channel.NEIGHBOURHOOD, sum);
      }
    }
  }

  /** Neighbours of these that pass and are no candidates yet become some. */
  void invite(Collection<Candidate> hits, Pool pool, Set<Integer> passing) throws IOException {
    for (Candidate hit : List.copyOf(hits)) {
      for (Neighbour neighbour : neighbours(hit)) {
        if (passing.contains(neighbour.document)) {
          pool.add(neighbour.document);
        }
      }
    }
  }

  /** All documents that {@link #invite} would look at. */
  Set<Integer> around(Collection<Candidate> hits) throws IOException {
    Set<Integer> around = new TreeSet<>();
    for (Candidate hit : hits) {
      neighbours(hit).forEach(neighbour -> around.add(neighbour.document));
    }
    return around;
  }

  private record Neighbour(int document, int distance) {}

  private List<Neighbour> neighbours(Candidate candidate) throws IOException {
    if (candidate.place().group().isEmpty() || candidate.place().position().isEmpty()) {
      return List.of();
    }
    String group = candidate.place().group().get();
    int at = sequences.indexOf(group, candidate.document());
    return at < 0 ? List.of() : around(sequences.of(group), at);
  }

  private List<Neighbour> around(List<Sequences.Step> steps, int at) {
    List<Neighbour> found = new ArrayList<>();
    int first = Math.max(0, at - rules.window());
    int last = Math.min(steps.size() - 1, at + rules.window());
    for (int i = first; i <= last; i++) {
      if (i != at) {
        found.add(new Neighbour(steps.get(i).document(), Math.abs(i - at)));
      }
    }
    return found;
  }
}
