package dev.caliber.store.search;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Makes one score of what the channels say. */
final class Fusion {

  /* These are between 0 and 1 by themselves, and mean the same for every query. */
  private static final Set<Channel> PRIORS =
      EnumSet.of(Channel.SPEAKER, Channel.PERIOD, Channel.STATEMENT, Channel.TIME, Channel.TRUST);

  /* What neighbours and linking documents lend is a part of their own score, so that nothing outruns them by it. */
  private static final Set<Channel> PLAIN = plain();

  private final SearchConfig.Ranking rules;
  private final Map<Channel, Double> weights;
  private final boolean ranks;

  /** Ranks cost a sort for each channel, so that they are made only where they are needed. */
  Fusion(SearchConfig.Ranking rules, Map<Channel, Double> weights, boolean explain) {
    this.rules = rules;
    this.weights = weights;
    this.ranks = explain || rules.fusion() == SearchConfig.FusionRule.RANK;
  }

  private static Set<Channel> plain() {
    Set<Channel> plain = EnumSet.copyOf(PRIORS);
    plain.add(Channel.NEIGHBOURHOOD);
    plain.add(Channel.LINKS);
    return plain;
  }

  double weight(Channel channel) {
    return weights.getOrDefault(channel, 0.0);
  }

  /** The channels that count. */
  Set<Channel> active() {
    Set<Channel> active = EnumSet.noneOf(Channel.class);
    weights.forEach((channel, weight) -> add(active, channel, weight));
    return active;
  }

  private static void add(Set<Channel> active, Channel channel, double weight) {
    if (weight > 0) {
      active.add(channel);
    }
  }

  /** Sets every candidate's score to the weighted sum over these channels. */
  void fuse(Pool pool, Collection<Channel> channels) {
    for (Channel channel : channels) {
      if (ranks) {
        pool.rank(channel);
      }
      scale(pool, channel);
    }
    for (Candidate candidate : pool.all()) {
      candidate.score(sum(candidate, channels));
    }
  }

  private double sum(Candidate candidate, Collection<Channel> channels) {
    double sum = 0;
    for (Channel channel : channels) {
      sum += weight(channel) * candidate.scaled(channel);
    }
    return sum;
  }

  private void scale(Pool pool, Channel channel) {
    double least = least(pool, channel);
    double range = pool.greatest(channel).orElse(0) - least;
    for (Candidate candidate : pool.all()) {
      candidate
          .raw(channel)
          .ifPresent(
              raw -> candidate.scaled(channel, scaled(candidate, channel, raw - least, range)));
    }
  }

  /** A document without any of the words scores 0 in words, which is the least there is. */
  private static double least(Pool pool, Channel channel) {
    boolean fromZero = channel != Channel.DENSE;
    return fromZero ? 0 : pool.least(channel).orElse(0);
  }

  private double scaled(Candidate candidate, Channel channel, double above, double range) {
    if (rules.fusion() == SearchConfig.FusionRule.RANK) {
      return PRIORS.contains(channel)
          ? above / firstPlace()
          : 1.0 / (rules.rankConstant() + candidate.rank(channel));
    }
    if (PLAIN.contains(channel)) {
      return above;
    }
    return range > 0 ? above / range : 1;
  }

  /** What the best of a channel is divided by; a prior counts as a share of that. */
  private int firstPlace() {
    return rules.rankConstant() + 1;
  }

  /** The rule as explanations show it. */
  String text() {
    String sum =
        new TreeMap<>(weights)
            .entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(Fusion::term)
                .collect(Collectors.joining(" + "));
    return rules.fusion() == SearchConfig.FusionRule.RANK
        ? "%s, each 1/(%d+rank)".formatted(sum, rules.rankConstant())
        : sum + ", each scaled to 0..1";
  }

  private static String term(Map.Entry<Channel, Double> entry) {
    return "%s×%s".formatted(entry.getValue(), entry.getKey().name().toLowerCase(Locale.ROOT));
  }
}
