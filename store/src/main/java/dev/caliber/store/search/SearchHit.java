package dev.caliber.store.search;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One document that was found.
 *
 * @param score what the channels add up to; hits come in its order, then by table and key
 * @param similarity calibrated: 0 for unrelated texts, 1 for equal vectors, whatever the model. A
 *     question and its own words need not have the same one: {@link SearchQuery#alike} compares
 *     texts as such
 * @param cosine the raw value behind the similarity (or the metric's own, where it is another)
 * @param channels how the score came about, if the query asked
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
   * What one channel said of the document.
   *
   * @param raw the channel's own score
   * @param rank the place in the channel's order, from 1
   * @param scaled the score as it was added, before the weight
   */
  public record ChannelScore(Channel channel, double raw, int rank, double scaled, double weight) {}
}
