package dev.caliber.store.search;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/** Allowed ranges of settings and queries. The values are in the starter file. */
final class SearchBounds {

  static final Duration MIN_WAIT = Duration.ofMillis(1);
  static final Duration MAX_WAIT = Duration.ofMinutes(10);
  static final Duration MIN_HALF_LIFE = Duration.ofSeconds(1);
  static final Duration MAX_HALF_LIFE = Duration.ofDays(36_500);
  static final int MAX_LIMIT = 10_000;
  static final int MAX_CANDIDATES = 100_000;
  static final double MAX_WEIGHT = 1_000;
  static final double MAX_K1 = 100;
  static final int MIN_M = 2;
  static final int MAX_M = 512;
  static final int MAX_EF = 3_200;
  static final int MAX_DIMENSIONS = 16_384;
  static final int MAX_EXACT = 10_000_000;
  static final int MIN_CHUNK = 16;
  static final int MAX_CHUNK = 1_000_000;
  static final int MAX_CHUNKS = 10_000;
  static final int MAX_WINDOW = 100;
  static final int MAX_HOPS = 5;
  static final int MAX_LINKS = 1_000;
  static final int MAX_BATCH = 10_000;
  static final int MAX_QUERIES = 1_000_000;
  static final int MAX_THREADS = 256;
  static final int MAX_OPEN = 1_000_000;
  static final DataSize MIN_BUFFER = DataSize.parse("1MiB");
  static final DataSize MAX_BUFFER = DataSize.parse("1GiB");

  /**
   * Largest number of pairs of word and field in a search; Lucene takes 1,024, filters included.
   */
  static final int MAX_CLAUSES = 768;

  /** Number of documents that a search embeds before it checks the time again. */
  static final int EMBEDDED_AT_ONCE_BOUND = 8;

  /** Largest number of documents without vectors that are listed at once. */
  static final int MAX_WAITING = 10_000;

  /** Number of segments of about one size that an index has while it is built. */
  static final int PARTS_WHILE_BUILDING = 100;

  /** Largest number of differences that a check lists; it counts all of them. */
  static final int NAMED_DIFFERENCES = 20;

  /** Least size for a graph: the logarithm of one is no measure. */
  static final int MIN_GRAPH = 2;

  /** Interval at which a waiting caller checks whether there is still something to wait for. */
  static final Duration LOOK = Duration.ofMillis(100);

  private SearchBounds() {}
}
