package dev.caliber.store.search;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A document that may become a hit, with what each channel says of it. */
final class Candidate implements Comparable<Candidate> {

  private final String id;
  private final int document;
  private final Map<Channel, Double> raw = new EnumMap<>(Channel.class);
  private final Map<Channel, Integer> ranks = new EnumMap<>(Channel.class);
  private final Map<Channel, Double> scaled = new EnumMap<>(Channel.class);
  private Place place = Place.UNKNOWN;
  private boolean placed;
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

  double score() {
    return score;
  }

  void score(double value) {
    score = value;
  }

  /** Best first; the id decides between equal scores, so that the order is always the same. */
  @Override
  public int compareTo(Candidate other) {
    int byScore = Double.compare(other.score, score);
    return byScore == 0 ? id.compareTo(other.id) : byScore;
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
