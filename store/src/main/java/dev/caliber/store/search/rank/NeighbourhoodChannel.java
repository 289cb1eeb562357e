package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.format.QuestionDetector;
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
 * Channel that raises a document by the best of the documents right before and after it, the nearer
 * the more. A preceding question counts more, since the document is its answer.
 */
final class NeighbourhoodChannel {

  private final SearchConfig.SearchRankingSettings rules;
  private final double answerLift;
  private final DocumentSequences documentSequences;
  private final QuestionDetector questionDetector;

  NeighbourhoodChannel(IndexSearcher searcher, SearchConfig config) {
    this.rules = config.ranking();
    this.answerLift = config.queryAnalysis().answerLift();
    this.questionDetector = new QuestionDetector(searcher, config.queryAnalysis());
    this.documentSequences = new DocumentSequences(searcher);
  }

  /** Scores each candidate with the greatest fused score of its neighbours. */
  void score(SearchCandidateSet searchCandidateSet) throws IOException {
    Map<SearchCandidate, Double> best =
        bestNeighbourScores(searchCandidateSet, SearchCandidate::fusedScore);
    best.forEach(
        (searchCandidate, score) -> searchCandidate.setRaw(SearchChannel.NEIGHBOURHOOD, score));
  }

  /** Returns for each candidate with neighbours in the pool the greatest worth of one. */
  Map<SearchCandidate, Double> bestNeighbourScores(
      SearchCandidateSet searchCandidateSet, ToDoubleFunction<SearchCandidate> worth)
      throws IOException {
    Map<Integer, SearchCandidate> known = new HashMap<>();
    searchCandidateSet
        .all()
        .forEach(searchCandidate -> known.put(searchCandidate.document(), searchCandidate));
    Map<SearchCandidate, Double> all = new HashMap<>();
    for (SearchCandidate searchCandidate : searchCandidateSet.all()) {
      double best = 0;
      for (NeighbourDocument neighbourDocument : neighbours(searchCandidate)) {
        SearchCandidate other = known.get(neighbourDocument.document);
        best =
            Math.max(
                best,
                other == null ? 0 : neighbourScore(worth.applyAsDouble(other), neighbourDocument));
      }
      if (best > 0) {
        all.put(searchCandidate, best);
      }
    }
    return all;
  }

  private double neighbourScore(double score, NeighbourDocument neighbourDocument)
      throws IOException {
    int distance = Math.abs(neighbourDocument.distance);
    double lift =
        neighbourDocument.distance == -1
            ? answerLift * questionDetector.questionScore(neighbourDocument.document)
            : 0;
    return score * Math.pow(rules.distanceDecay(), distance - 1) * (1 + lift);
  }

  /** Scores how much each candidate states. A question that no document follows is not lowered. */
  void scoreStatements(Collection<SearchCandidate> candidates) throws IOException {
    for (SearchCandidate searchCandidate : candidates) {
      double asking =
          isFollowed(searchCandidate)
              ? questionDetector.questionScore(searchCandidate.document())
              : 0;
      searchCandidate.setRaw(SearchChannel.STATEMENT, 1 - asking);
    }
  }

  private boolean isFollowed(SearchCandidate searchCandidate) throws IOException {
    return neighbours(searchCandidate, 1).stream()
        .anyMatch(neighbourDocument -> neighbourDocument.distance == 1);
  }

  /** Returns all neighbours of these hits. */
  Set<Integer> neighbourDocuments(Collection<SearchCandidate> hits) throws IOException {
    Set<Integer> around = new TreeSet<>();
    for (SearchCandidate hit : hits) {
      neighbours(hit).forEach(neighbourDocument -> around.add(neighbourDocument.document));
    }
    return around;
  }

  /** Neighbour and its distance, which is negative for a document before. */
  private record NeighbourDocument(int document, int distance) {}

  private List<NeighbourDocument> neighbours(SearchCandidate searchCandidate) throws IOException {
    return neighbours(searchCandidate, rules.neighbourDistance());
  }

  private List<NeighbourDocument> neighbours(SearchCandidate searchCandidate, int window)
      throws IOException {
    if (searchCandidate.sequencePosition().group().isEmpty()
        || searchCandidate.sequencePosition().position().isEmpty()) {
      return List.of();
    }
    String group = searchCandidate.sequencePosition().group().get();
    int at = documentSequences.indexOf(group, searchCandidate.document());
    return at < 0 ? List.of() : neighboursInWindow(documentSequences.entries(group), at, window);
  }

  private static List<NeighbourDocument> neighboursInWindow(
      List<DocumentSequences.SequenceEntry> steps, int at, int window) {
    List<NeighbourDocument> found = new ArrayList<>();
    int first = Math.max(0, at - window);
    int last = Math.min(steps.size() - 1, at + window);
    for (int i = first; i <= last; i++) {
      if (i != at) {
        found.add(new NeighbourDocument(steps.get(i).document(), i - at));
      }
    }
    return found;
  }
}
