package dev.caliber.store.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.search.IndexSearcher;

/**
 * The best of the documents right before and after a hit speaks for it, the nearer the more. A
 * question before it speaks more loudly, since the hit is its answer.
 */
final class NeighbourhoodChannel {

  private final SearchConfig.Ranking rules;
  private final double answerLift;
  private final Sequences sequences;
  private final Questions questions;

  NeighbourhoodChannel(IndexSearcher searcher, SearchConfig config) {
    this.rules = config.ranking();
    this.answerLift = config.reading().answerLift();
    this.questions = new Questions(searcher, config.reading());
    this.sequences = new Sequences(searcher);
  }

  /** The greatest of the neighbours' fused scores. */
  void score(Pool pool) throws IOException {
    Map<Candidate, Double> best = best(pool, Candidate::fused);
    best.forEach((candidate, score) -> candidate.raw(Channel.NEIGHBOURHOOD, score));
  }

  /** For each candidate that has neighbours in the pool, the greatest of what they are worth. */
  Map<Candidate, Double> best(Pool pool, ToDoubleFunction<Candidate> worth) throws IOException {
    Map<Integer, Candidate> known = new HashMap<>();
    pool.all().forEach(candidate -> known.put(candidate.document(), candidate));
    Map<Candidate, Double> all = new HashMap<>();
    for (Candidate candidate : pool.all()) {
      double best = 0;
      for (Neighbour neighbour : neighbours(candidate)) {
        Candidate other = known.get(neighbour.document);
        best = Math.max(best, other == null ? 0 : voice(worth.applyAsDouble(other), neighbour));
      }
      if (best > 0) {
        all.put(candidate, best);
      }
    }
    return all;
  }

  private double voice(double score, Neighbour neighbour) throws IOException {
    int distance = Math.abs(neighbour.distance);
    double lift = neighbour.distance == -1 ? answerLift * questions.asking(neighbour.document) : 0;
    return score * Math.pow(rules.decay(), distance - 1) * (1 + lift);
  }

  /** How far each tells something; a question that nothing follows is told by nobody else. */
  void scoreStatements(Collection<Candidate> candidates) throws IOException {
    for (Candidate candidate : candidates) {
      double asking = isFollowed(candidate) ? questions.asking(candidate.document()) : 0;
      candidate.raw(Channel.STATEMENT, 1 - asking);
    }
  }

  private boolean isFollowed(Candidate candidate) throws IOException {
    return neighbours(candidate, 1).stream().anyMatch(neighbour -> neighbour.distance == 1);
  }

  /** All neighbours of these. */
  Set<Integer> around(Collection<Candidate> hits) throws IOException {
    Set<Integer> around = new TreeSet<>();
    for (Candidate hit : hits) {
      neighbours(hit).forEach(neighbour -> around.add(neighbour.document));
    }
    return around;
  }

  /** The distance is negative for a document before. */
  private record Neighbour(int document, int distance) {}

  private List<Neighbour> neighbours(Candidate candidate) throws IOException {
    return neighbours(candidate, rules.window());
  }

  private List<Neighbour> neighbours(Candidate candidate, int window) throws IOException {
    if (candidate.place().group().isEmpty() || candidate.place().position().isEmpty()) {
      return List.of();
    }
    String group = candidate.place().group().get();
    int at = sequences.indexOf(group, candidate.document());
    return at < 0 ? List.of() : around(sequences.of(group), at, window);
  }

  private static List<Neighbour> around(List<Sequences.Step> steps, int at, int window) {
    List<Neighbour> found = new ArrayList<>();
    int first = Math.max(0, at - window);
    int last = Math.min(steps.size() - 1, at + window);
    for (int i = first; i <= last; i++) {
      if (i != at) {
        found.add(new Neighbour(steps.get(i).document(), i - at));
      }
    }
    return found;
  }
}
