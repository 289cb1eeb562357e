package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Order of the candidates of one table by the weighted sum of their channel scores. Words and
 * vectors are scaled per table, so that sums of two tables cannot be compared; {@link
 * RelevanceScorer} makes them comparable.
 */
final class ChannelFusion {

  /*
   * Channels added without scaling: priors are between 0 and 1 for every query, and the scores lent
   * by neighbours and linking documents are a share of their own score, so that no document
   * outranks its lender by it.
   */
  private static final Set<SearchChannel> UNSCALED =
      EnumSet.of(
          SearchChannel.SPEAKER,
          SearchChannel.PERIOD,
          SearchChannel.STATEMENT,
          SearchChannel.TIME,
          SearchChannel.TRUST,
          SearchChannel.NEIGHBOURHOOD,
          SearchChannel.LINKS);

  private final Map<SearchChannel, Double> weights;
  private final boolean explain;

  /** Ranks cost a sort for each channel, so that they are computed only for an explanation. */
  ChannelFusion(Map<SearchChannel, Double> weights, boolean explain) {
    this.weights = weights;
    this.explain = explain;
  }

  double weight(SearchChannel searchChannel) {
    return weights.getOrDefault(searchChannel, 0.0);
  }

  /** Returns the channels with a weight. */
  Set<SearchChannel> activeChannels() {
    return weights.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(SearchChannel.class)));
  }

  /** Sets every candidate's fused score to the weighted sum over these channels. */
  void fuse(SearchCandidateSet searchCandidateSet, Collection<SearchChannel> channels) {
    for (SearchChannel searchChannel : channels) {
      if (explain) {
        searchCandidateSet.assignRanks(searchChannel);
      }
      searchCandidateSet.byTable().forEach(kind -> scale(kind, searchChannel));
    }
    for (SearchCandidate searchCandidate : searchCandidateSet.all()) {
      searchCandidate.setFusedScore(sum(searchCandidate, channels));
    }
  }

  private double sum(SearchCandidate searchCandidate, Collection<SearchChannel> channels) {
    double sum = 0;
    for (SearchChannel searchChannel : channels) {
      sum += weight(searchChannel) * searchCandidate.scaledScore(searchChannel);
    }
    return sum;
  }

  private static void scale(List<SearchCandidate> kind, SearchChannel searchChannel) {
    double least =
        searchChannel == SearchChannel.DENSE
            ? SearchCandidateSet.least(kind, searchChannel).orElse(0)
            : 0;
    double range = SearchCandidateSet.greatest(kind, searchChannel).orElse(0) - least;
    for (SearchCandidate searchCandidate : kind) {
      searchCandidate
          .rawScore(searchChannel)
          .ifPresent(
              raw ->
                  searchCandidate.setScaled(
                      searchChannel, scaled(searchChannel, raw - least, range)));
    }
  }

  private static double scaled(SearchChannel searchChannel, double above, double range) {
    if (UNSCALED.contains(searchChannel)) {
      return above;
    }
    return range > 0 ? above / range : 1;
  }

  /** Returns the rule as explanations show it. */
  String text() {
    return new TreeMap<>(weights)
            .entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(ChannelFusion::term)
                .collect(Collectors.joining(" + "))
        + ", each scaled to 0..1 within a kind";
  }

  private static String term(Map.Entry<SearchChannel, Double> entry) {
    return "%s×%s".formatted(entry.getValue(), entry.getKey().name().toLowerCase(Locale.ROOT));
  }
}
