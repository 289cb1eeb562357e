package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.format.IndexFormatV1;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Document that may become a hit, with its channel scores. */
public final class SearchCandidate implements Comparable<SearchCandidate> {

  /** Order within a table. */
  static final Comparator<SearchCandidate> BY_FUSED =
      Comparator.<SearchCandidate>comparingDouble(each -> -each.fusedScore())
          .thenComparing(SearchCandidate::id);

  private final String id;
  private final int document;
  private final Map<SearchChannel, Double> raw = new EnumMap<>(SearchChannel.class);
  private final Map<SearchChannel, Integer> ranks = new EnumMap<>(SearchChannel.class);
  private final Map<SearchChannel, Double> scaled = new EnumMap<>(SearchChannel.class);
  private SequencePosition sequencePosition = SequencePosition.UNKNOWN;
  private boolean placed;
  private OptionalDouble meaning = OptionalDouble.empty();
  private double fused;
  private double score;

  /** Position of a document in its group. */
  record SequencePosition(Optional<String> group, Optional<Long> position) {
    static final SequencePosition UNKNOWN =
        new SequencePosition(Optional.empty(), Optional.empty());
  }

  SearchCandidate(String id, int document) {
    this.id = id;
    this.document = document;
  }

  String id() {
    return id;
  }

  /** Returns Lucene's number of the record's first document. */
  int document() {
    return document;
  }

  OptionalDouble rawScore(SearchChannel searchChannel) {
    Double value = raw.get(searchChannel);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  void setRaw(SearchChannel searchChannel, double value) {
    raw.put(searchChannel, value);
  }

  int rank(SearchChannel searchChannel) {
    return ranks.getOrDefault(searchChannel, 0);
  }

  void setRank(SearchChannel searchChannel, int rank) {
    ranks.put(searchChannel, rank);
  }

  double scaledScore(SearchChannel searchChannel) {
    return scaled.getOrDefault(searchChannel, 0.0);
  }

  void setScaled(SearchChannel searchChannel, double value) {
    scaled.put(searchChannel, value);
  }

  SequencePosition sequencePosition() {
    return sequencePosition;
  }

  void setSequencePosition(SequencePosition other) {
    sequencePosition = other;
    placed = true;
  }

  /** Returns whether its position was read already. */
  boolean hasSequencePosition() {
    return placed;
  }

  /** Returns the similarity of its vector to the query's, from 0 to 1; empty without a vector. */
  OptionalDouble similarity() {
    return meaning;
  }

  void setSimilarity(double value) {
    meaning = OptionalDouble.of(Math.clamp(value, 0, 1));
  }

  /** Returns the table of its record. */
  String table() {
    return IndexFormatV1.tableOf(id);
  }

  /** Returns the weighted sum of the channels, which orders candidates of one table. */
  double fusedScore() {
    return fused;
  }

  void setFusedScore(double value) {
    fused = value;
  }

  /** Returns the relevance that orders candidates of all tables. */
  double score() {
    return score;
  }

  void setScore(double value) {
    score = value;
  }

  /** Orders the best first; between equal scores the fused score and the id decide. */
  @Override
  public int compareTo(SearchCandidate other) {
    int byScore = Double.compare(other.score, score);
    return byScore == 0 ? BY_FUSED.compare(this, other) : byScore;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SearchCandidate searchCandidate && searchCandidate.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }
}
