package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import dev.caliber.store.search.SearchHit.ChannelScore;
import java.util.List;
import java.util.Optional;

/**
 * How near a candidate is to the query.
 *
 * @param score orders candidates: what the hybrid search said, 1 without a query, 0 for what it did
 *     not find
 * @param relevance meets thresholds: the calibrated similarity, or the neutral value
 * @param channels how the score came about
 * @param quality how good it is as a source, where settings want that judged; then it orders
 * @param trust how far it is trusted, where the window says so
 */
public record Scores(
    double score,
    double relevance,
    List<ChannelScore> channels,
    Optional<Quality> quality,
    Optional<Trust> trust) {
  public Scores {
    channels = List.copyOf(channels);
  }

  static Scores of(double score, double relevance) {
    return new Scores(score, relevance, List.of(), Optional.empty(), Optional.empty());
  }

  Scores judged(Quality found) {
    return new Scores(score, relevance, channels, Optional.of(found), trust);
  }

  Scores trusted(Trust found) {
    return new Scores(score, relevance, channels, quality, Optional.of(found));
  }

  /** Windows that do not speak of trust keep the hashes that they had before others did. */
  void addTo(Hashing.Fields fields) {
    fields.number(score).number(relevance);
    fields.each(channels, Scores::add);
    fields.each(quality, (into, found) -> found.addTo(into));
    trust.ifPresent(found -> found.addTo(fields));
  }

  private static void add(Hashing.Fields fields, ChannelScore said) {
    fields.text(said.channel().name()).number(said.raw()).number(said.rank());
    fields.number(said.scaled()).number(said.weight());
  }

  /** What orders it among others. */
  double rank() {
    return quality.map(Quality::value).orElse(score);
  }
}
