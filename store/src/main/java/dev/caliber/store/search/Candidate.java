package dev.caliber.store.search;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A document that may become a hit, with what each channel says of it. */
final class Candidate implements Comparable<Candidate> {

  /** The order within a kind. */
  static final Comparator<Candidate> BY_FUSED =
      Comparator.<Candidate>comparingDouble(each -> -each.fused()).thenComparing(Candidate::id);

  private final String id;
  private final int document;
  private final Map<Channel, Double> raw = new EnumMap<>(Channel.class);
  private final Map<Channel, Integer> ranks = new EnumMap<>(Channel.class);
  private final Map<Channel, Double> scaled = new EnumMap<>(Channel.class);
  private Place place = Place.UNKNOWN;
  private boolean placed;
  private OptionalDouble meaning = OptionalDouble.empty();
  private double fused;
  private double score;

  /** Where a document is in what contains it. */
  record Place(Optional<String> group, Optional<Long> position) {
    static final Place UNKNOWN = new Place(Optional.empty(), Optional.empty());
  }

  Candidate(String id, int document) {
    this.id = id;
    this.document = document;
  }

  String id() {
    return id;
  }

  /** Lucene's number of the record's first document. */
  int document() {
    return document;
  }

  OptionalDouble raw(Channel channel) {
    Double value = raw.get(channel);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  void raw(Channel channel, double value) {
    raw.put(channel, value);
  }

  int rank(Channel channel) {
    return ranks.getOrDefault(channel, 0);
  }

  void rank(Channel channel, int rank) {
    ranks.put(channel, rank);
  }

  double scaled(Channel channel) {
    return scaled.getOrDefault(channel, 0.0);
  }

  void scaled(Channel channel, double value) {
    scaled.put(channel, value);
  }

  Place place() {
    return place;
  }

  void place(Place other) {
    place = other;
    placed = true;
  }

  /** Whether its place was read already. */
  boolean isPlaced() {
    return placed;
  }

  /** How near its vector is to the query's, from 0 to 1; empty without a vector. */
  OptionalDouble meaning() {
    return meaning;
  }

  void meaning(double value) {
    meaning = OptionalDouble.of(Math.clamp(value, 0, 1));
  }

  /** The table of its record. */
  String kind() {
    return IndexFormatV1.tableOf(id);
  }

  /** What the channels add up to, which orders candidates of one kind. */
  double fused() {
    return fused;
  }

  void fused(double value) {
    fused = value;
  }

  /** The relevance that orders candidates of all kinds. */
  double score() {
    return score;
  }

  void score(double value) {
    score = value;
  }

  /** Best first; between equal scores the fused score and the id decide. */
  @Override
  public int compareTo(Candidate other) {
    int byScore = Double.compare(other.score, score);
    return byScore == 0 ? BY_FUSED.compare(this, other) : byScore;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Candidate candidate && candidate.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }
}
