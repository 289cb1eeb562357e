package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Scorer of candidates from 0 to 1, on one scale for all tables and queries.
 *
 * <p>A candidate's own relevance is its calibrated similarity, raised by the share of the query's
 * words that it has, and by the relevance of its neighbours: a turn is a part of a conversation,
 * and has less content on its own than a note. Both lifts are bounded by 1, and an irrelevant
 * candidate is not raised. Within a table the fused order is kept, because context (neighbours,
 * session, speaker) finds the turn that answers better than its own words do; in a table without
 * sequences, such as notes, relevance itself counts half. The first of a table gets the greatest
 * relevance of the table, the second the next, and so on. So context reorders a table, and tables
 * compete by relevance alone.
 *
 * <p>The first hit of all is the first of that table whose first answers best by its own text. A
 * note that answers is not ranked behind a turn that is raised by its neighbours, or that only
 * asks. Words raise less there: a long text has more of the query's words without being the answer.
 * What else was tried: docs/decisions/0093-one-relevance-scale.md
 */
final class RelevanceScorer {

  private final PreparedQuery preparedQuery;
  private final SearchConfig.SearchRankingSettings rules;
  private final LexicalChannel lexical;
  private final NeighbourhoodChannel neighbourhood;

  RelevanceScorer(
      PreparedQuery preparedQuery,
      SearchConfig.SearchRankingSettings rules,
      LexicalChannel lexical,
      NeighbourhoodChannel neighbourhood) {
    this.preparedQuery = preparedQuery;
    this.rules = rules;
    this.lexical = lexical;
    this.neighbourhood = neighbourhood;
  }

  /** Sets the score of every candidate. */
  void score(SearchCandidateSet searchCandidateSet) throws IOException {
    Map<SearchCandidate, Double> own = ownRelevances(searchCandidateSet, rules.wordLift());
    Map<SearchCandidate, Double> forFirst =
        ownRelevances(searchCandidateSet, rules.firstWordLift());
    Map<SearchCandidate, Double> beside =
        neighbourhood.bestNeighbourScores(searchCandidateSet, each -> valueOf(own, each));
    List<SearchCandidate> firsts = new ArrayList<>();
    for (List<SearchCandidate> kind : searchCandidateSet.byTable()) {
      firsts.add(scoreTable(kind, each -> lifted(valueOf(own, each), valueOf(beside, each))));
    }
    firsts.stream()
        .max(Comparator.comparingDouble(each -> valueOf(forFirst, each) * firstPlaceWeight(each)))
        .ifPresent(first -> putFirst(searchCandidateSet, first));
  }

  private Map<SearchCandidate, Double> ownRelevances(
      SearchCandidateSet searchCandidateSet, double wordLift) {
    double neutral =
        searchCandidateSet.all().stream()
            .flatMapToDouble(each -> each.similarity().stream())
            .average()
            .orElse(0);
    Map<SearchCandidate, Double> own = new HashMap<>();
    searchCandidateSet.all().forEach(each -> own.put(each, ownRelevance(each, neutral, wordLift)));
    return own;
  }

  private static double valueOf(
      Map<SearchCandidate, Double> values, SearchCandidate searchCandidate) {
    return values.getOrDefault(searchCandidate, 0.0);
  }

  /**
   * Returns the weight of the candidate's own relevance for the first rank. A document of a
   * sequence that asks, and that others may have answered, has weight 0.
   */
  private double firstPlaceWeight(SearchCandidate searchCandidate) {
    return searchCandidate.sequencePosition().position().isPresent()
        ? searchCandidate.rawScore(SearchChannel.STATEMENT).orElse(1)
        : 1 + rules.standaloneLift();
  }

  /**
   * Gives the candidate the greatest score, and each one that was before it the next lower score.
   */
  private static void putFirst(SearchCandidateSet searchCandidateSet, SearchCandidate first) {
    List<SearchCandidate> order = searchCandidateSet.all().stream().sorted().toList();
    double greatest = order.getFirst().score();
    for (int i = 0; !order.get(i).equals(first); i++) {
      order.get(i).setScore(order.get(i + 1).score());
    }
    first.setScore(greatest);
  }

  /** Scores the candidates of one table, and returns the first. */
  private SearchCandidate scoreTable(
      List<SearchCandidate> kind, ToDoubleFunction<SearchCandidate> relevance) {
    double[] ascending = kind.stream().mapToDouble(relevance).sorted().toArray();
    List<SearchCandidate> order = kind.stream().sorted(tableOrder(kind, relevance)).toList();
    for (int i = 0; i < order.size(); i++) {
      order.get(i).setScore(ascending[ascending.length - 1 - i]);
    }
    return order.getFirst();
  }

  /**
   * Orders documents without neighbours half by the sum of the channels and half by relevance,
   * which replaces the part of words and vectors in that sum. With one channel alone, its order is
   * kept.
   */
  private Comparator<SearchCandidate> tableOrder(
      List<SearchCandidate> kind, ToDoubleFunction<SearchCandidate> relevance) {
    boolean both =
        preparedQuery.vector().isPresent()
            && preparedQuery.weight(SearchChannel.DENSE) > 0
            && preparedQuery.weight(SearchChannel.LEXICAL) > 0;
    boolean sequence =
        kind.stream().anyMatch(each -> each.sequencePosition().position().isPresent());
    double greatest = kind.stream().mapToDouble(relevance).max().orElse(0);
    return both && !sequence && greatest > 0
        ? Comparator.<SearchCandidate>comparingDouble(
                each ->
                    (baseScore(each) - relevance.applyAsDouble(each) / greatest) / 2
                        - each.fusedScore())
            .thenComparing(SearchCandidate.BY_FUSED)
        : SearchCandidate.BY_FUSED;
  }

  /** Returns the part of words and vectors in the fused score. */
  private double baseScore(SearchCandidate searchCandidate) {
    return preparedQuery.weight(SearchChannel.LEXICAL)
            * searchCandidate.scaledScore(SearchChannel.LEXICAL)
        + preparedQuery.weight(SearchChannel.DENSE)
            * searchCandidate.scaledScore(SearchChannel.DENSE);
  }

  /** Returns the relevance of its own text. A candidate without a vector yet gets the average. */
  private double ownRelevance(SearchCandidate searchCandidate, double neutral, double wordLift) {
    double words =
        preparedQuery.weight(SearchChannel.LEXICAL) > 0
            ? lexical.scoreShare(searchCandidate.rawScore(SearchChannel.LEXICAL).orElse(0))
            : 0;
    double meaning = searchCandidate.similarity().orElse(neutral);
    return preparedQuery.vector().isPresent() ? meaning + wordLift * words * (1 - meaning) : words;
  }

  /** Raises a candidate's relevance where its neighbours are relevant, too. */
  private double lifted(double own, double beside) {
    double lift = rules.neighbourLift() * beside;
    return own * (1 + lift) / (1 + lift * own);
  }
}
