package dev.caliber.store.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How well candidates answer the query, from 0 to 1, on one scale for all kinds and queries.
 *
 * <p>A candidate's own relevance is its calibrated similarity, lifted by the share of the query's
 * words that it has, and by the relevance of the documents beside it: a turn is a piece of a
 * conversation, and says less by itself than a note does. Both lifts are bounded by 1, and nothing
 * lifts what is irrelevant itself. Within a kind the fused order stands, because context
 * (neighbours, session, speaker) finds the turn that answers better than its own words do; in a
 * kind without sequences, such as notes, relevance itself has half a say. The first of a kind gets
 * the greatest relevance of the kind, the second the next, and so on. So context reorders a kind,
 * and kinds compete by relevance alone.
 *
 * <p>The first hit of all is the first of that kind whose first answers best by its own text. A
 * note that answers is not behind a turn that is lifted by the turns beside it, or that only asks.
 * What else was tried: docs/decisions/0093-one-scale.md
 */
final class Relevance {

  private final Asked asked;
  private final SearchConfig.Ranking rules;
  private final LexicalChannel lexical;
  private final NeighbourhoodChannel neighbourhood;

  Relevance(
      Asked asked,
      SearchConfig.Ranking rules,
      LexicalChannel lexical,
      NeighbourhoodChannel neighbourhood) {
    this.asked = asked;
    this.rules = rules;
    this.lexical = lexical;
    this.neighbourhood = neighbourhood;
  }

  /** Sets the score of every candidate. */
  void score(Pool pool) throws IOException {
    Map<Candidate, Double> own = own(pool);
    Map<Candidate, Double> beside = neighbourhood.best(pool, each -> valueOf(own, each));
    List<Candidate> firsts = new ArrayList<>();
    for (List<Candidate> kind : pool.kinds()) {
      firsts.add(score(kind, each -> lifted(valueOf(own, each), valueOf(beside, each))));
    }
    firsts.stream()
        .max(Comparator.comparingDouble(each -> valueOf(own, each) * claim(each)))
        .ifPresent(first -> putFirst(pool, first));
  }

  private Map<Candidate, Double> own(Pool pool) {
    double neutral =
        pool.all().stream().flatMapToDouble(each -> each.meaning().stream()).average().orElse(0);
    Map<Candidate, Double> own = new HashMap<>();
    pool.all().forEach(each -> own.put(each, own(each, neutral)));
    return own;
  }

  private static double valueOf(Map<Candidate, Double> values, Candidate candidate) {
    return values.getOrDefault(candidate, 0.0);
  }

  /**
   * How much its own relevance counts for the first place. A document of a sequence that asks, and
   * that others may have answered, counts for nothing.
   */
  private double claim(Candidate candidate) {
    return candidate.place().position().isPresent()
        ? candidate.raw(Channel.STATEMENT).orElse(1)
        : 1 + rules.standaloneLift();
  }

  /** Gives the candidate the greatest score; each of those before it gets the next lower score. */
  private static void putFirst(Pool pool, Candidate first) {
    List<Candidate> order = pool.all().stream().sorted().toList();
    double greatest = order.getFirst().score();
    for (int i = 0; !order.get(i).equals(first); i++) {
      order.get(i).score(order.get(i + 1).score());
    }
    first.score(greatest);
  }

  /** Scores the candidates of one kind, and returns the first. */
  private Candidate score(List<Candidate> kind, ToDoubleFunction<Candidate> relevance) {
    double[] ascending = kind.stream().mapToDouble(relevance).sorted().toArray();
    List<Candidate> order = kind.stream().sorted(order(kind, relevance)).toList();
    for (int i = 0; i < order.size(); i++) {
      order.get(i).score(ascending[ascending.length - 1 - i]);
    }
    return order.getFirst();
  }

  /**
   * Documents that stand beside no others are ordered half by the sum of the channels and half by
   * relevance, which replaces what words and meaning have in that sum. One channel alone has its
   * own order.
   */
  private Comparator<Candidate> order(List<Candidate> kind, ToDoubleFunction<Candidate> relevance) {
    boolean both =
        asked.vector().isPresent()
            && asked.weight(Channel.DENSE) > 0
            && asked.weight(Channel.LEXICAL) > 0;
    boolean sequence = kind.stream().anyMatch(each -> each.place().position().isPresent());
    double greatest = kind.stream().mapToDouble(relevance).max().orElse(0);
    return both && !sequence && greatest > 0
        ? Comparator.<Candidate>comparingDouble(
                each -> (base(each) - relevance.applyAsDouble(each) / greatest) / 2 - each.fused())
            .thenComparing(Candidate.BY_FUSED)
        : Candidate.BY_FUSED;
  }

  /** What words and meaning have added to the fused score. */
  private double base(Candidate candidate) {
    return asked.weight(Channel.LEXICAL) * candidate.scaled(Channel.LEXICAL)
        + asked.weight(Channel.DENSE) * candidate.scaled(Channel.DENSE);
  }

  /** By its own text. A candidate whose vector is not there yet counts as an average one. */
  private double own(Candidate candidate, double neutral) {
    double words =
        asked.weight(Channel.LEXICAL) > 0
            ? lexical.share(candidate.raw(Channel.LEXICAL).orElse(0))
            : 0;
    double meaning = candidate.meaning().orElse(neutral);
    return asked.vector().isPresent() ? meaning + rules.wordLift() * words * (1 - meaning) : words;
  }

  /** A turn tells more than its own words where those beside it are relevant, too. */
  private double lifted(double own, double beside) {
    double lift = rules.neighbourLift() * beside;
    return own * (1 + lift) / (1 + lift * own);
  }
}
