package dev.caliber.store.search;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Document found by a query.
 *
 * @param score the sum of the channels; hits are ordered by it, then by table and key
 * @param similarity calibrated: 0 for unrelated texts, 1 for equal vectors, whatever the model. A
 *     question and its own words need not have the same one: {@link SearchQuery#forSimilarTexts}
 *     compares texts as such
 * @param cosine the raw value behind the similarity (or the metric's own, where it is another)
 * @param channels the scores of the channels, if the query asked for an explanation
 */
public record SearchHit(
    String table,
    String key,
    double score,
    OptionalDouble similarity,
    OptionalDouble cosine,
    List<ChannelScore> channels) {

  public SearchHit {
    channels = List.copyOf(channels);
  }

  /**
   * Score of the document in one channel.
   *
   * @param raw the channel's own score
   * @param rank the rank in the channel's order, from 1
   * @param scaled the score as it was added, before the weight
   */
  public record ChannelScore(
      SearchChannel channel, double raw, int rank, double scaled, double weight) {}
}
