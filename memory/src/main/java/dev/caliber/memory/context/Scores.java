package dev.caliber.memory.context;

import dev.caliber.store.search.SearchHit.ChannelScore;
import java.util.List;

/**
 * How near a candidate is to the query.
 *
 * @param score orders candidates: what the hybrid search said, 1 without a query, 0 for what it did
 *     not find
 * @param relevance meets thresholds: the calibrated similarity, or the neutral value
 * @param channels how the score came about
 */
public record Scores(double score, double relevance, List<ChannelScore> channels) {
  public Scores {
    channels = List.copyOf(channels);
  }

  static Scores of(double score, double relevance) {
    return new Scores(score, relevance, List.of());
  }
}
