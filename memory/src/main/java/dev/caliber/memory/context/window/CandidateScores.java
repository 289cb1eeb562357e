package dev.caliber.memory.context.window;

import dev.caliber.kernel.FieldHash;
import dev.caliber.store.search.SearchHit.ChannelScore;
import java.util.List;
import java.util.Optional;

/**
 * Scores of a candidate for the query.
 *
 * @param score orders candidates: the score of the hybrid search, 1 without a query, 0 if the
 *     search did not find it
 * @param relevance compared with thresholds: the calibrated similarity, or the neutral value
 * @param channels the parts of the score
 * @param quality source quality, if enabled; then it orders
 * @param trust trust in the source, if the format shows it
 */
public record CandidateScores(
    double score,
    double relevance,
    List<ChannelScore> channels,
    Optional<SourceQuality> quality,
    Optional<Trust> trust) {
  public CandidateScores {
    channels = List.copyOf(channels);
  }

  public static CandidateScores of(double score, double relevance) {
    return new CandidateScores(score, relevance, List.of(), Optional.empty(), Optional.empty());
  }

  public CandidateScores withQuality(SourceQuality found) {
    return new CandidateScores(score, relevance, channels, Optional.of(found), trust);
  }

  public CandidateScores withTrust(Trust found) {
    return new CandidateScores(score, relevance, channels, quality, Optional.of(found));
  }

  /** Adds trust only if present, so that windows without trust keep their earlier hashes. */
  public void addToHash(FieldHash.FieldHasher fieldHasher) {
    fieldHasher.number(score).number(relevance);
    fieldHasher.each(channels, CandidateScores::addChannelToHash);
    fieldHasher.each(quality, (into, found) -> found.addToHash(into));
    trust.ifPresent(found -> found.addToHash(fieldHasher));
  }

  private static void addChannelToHash(FieldHash.FieldHasher fieldHasher, ChannelScore said) {
    fieldHasher.text(said.channel().name()).number(said.raw()).number(said.rank());
    fieldHasher.number(said.scaled()).number(said.weight());
  }

  /** Returns the score by which candidates are ordered. */
  public double sortScore() {
    return quality.map(SourceQuality::value).orElse(score);
  }
}
