package dev.caliber.store.search;

import java.time.Duration;

/** Bounds of searches and of indexes. */
public final class SearchBounds {

  public static final double MAX_WEIGHT = 1_000;
  public static final int MAX_DIMENSIONS = 16_384;

  /**
   * Largest number of pairs of word and field in a search; Lucene takes 1,024, filters included.
   */
  public static final int MAX_CLAUSES = 768;

  /** Number of documents that a search embeds before it checks the time again. */
  public static final int EMBEDDED_AT_ONCE_BOUND = 8;

  /** Largest number of documents without vectors that are listed at once. */
  public static final int MAX_WAITING = 10_000;

  /** Number of segments of about one size that an index has while it is built. */
  public static final int PARTS_WHILE_BUILDING = 100;

  /** Largest number of differences that a check lists; it counts all of them. */
  public static final int NAMED_DIFFERENCES = 20;

  /** Interval at which a waiting caller checks whether there is still something to wait for. */
  public static final Duration LOOK = Duration.ofMillis(100);

  private SearchBounds() {}
}
