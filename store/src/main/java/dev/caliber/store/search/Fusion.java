package dev.caliber.store.search;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Orders candidates within a kind: the weighted sum of what the channels say. A kind is a
 * searchable table. Words and vectors are scaled per kind, so that a sum says nothing across kinds;
 * {@link Relevance} does.
 */
final class Fusion {

  /*
   * These are added as they are: priors are between 0 and 1 for every query, and what neighbours and
   * linking documents lend is a part of their own score, so that nothing outruns them by it.
   */
  private static final Set<Channel> UNSCALED =
      EnumSet.of(
          Channel.SPEAKER,
          Channel.PERIOD,
          Channel.STATEMENT,
          Channel.TIME,
          Channel.TRUST,
          Channel.NEIGHBOURHOOD,
          Channel.LINKS);

  private final Map<Channel, Double> weights;
  private final boolean explain;

  /** Ranks cost a sort for each channel, so that they are made only for an explanation. */
  Fusion(Map<Channel, Double> weights, boolean explain) {
    this.weights = weights;
    this.explain = explain;
  }

  double weight(Channel channel) {
    return weights.getOrDefault(channel, 0.0);
  }

  /** The channels that count. */
  Set<Channel> active() {
    return weights.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Channel.class)));
  }

  /** Sets every candidate's fused score to the weighted sum over these channels. */
  void fuse(Pool pool, Collection<Channel> channels) {
    for (Channel channel : channels) {
      if (explain) {
        pool.rank(channel);
      }
      pool.kinds().forEach(kind -> scale(kind, channel));
    }
    for (Candidate candidate : pool.all()) {
      candidate.fused(sum(candidate, channels));
    }
  }

  private double sum(Candidate candidate, Collection<Channel> channels) {
    double sum = 0;
    for (Channel channel : channels) {
      sum += weight(channel) * candidate.scaled(channel);
    }
    return sum;
  }

  private static void scale(List<Candidate> kind, Channel channel) {
    double least = channel == Channel.DENSE ? Pool.least(kind, channel).orElse(0) : 0;
    double range = Pool.greatest(kind, channel).orElse(0) - least;
    for (Candidate candidate : kind) {
      candidate
          .raw(channel)
          .ifPresent(raw -> candidate.scaled(channel, scaled(channel, raw - least, range)));
    }
  }

  private static double scaled(Channel channel, double above, double range) {
    if (UNSCALED.contains(channel)) {
      return above;
    }
    return range > 0 ? above / range : 1;
  }

  /** The rule as explanations show it. */
  String text() {
    return new TreeMap<>(weights)
            .entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(Fusion::term)
                .collect(Collectors.joining(" + "))
        + ", each scaled to 0..1 within a kind";
  }

  private static String term(Map.Entry<Channel, Double> entry) {
    return "%s×%s".formatted(entry.getValue(), entry.getKey().name().toLowerCase(Locale.ROOT));
  }
}
