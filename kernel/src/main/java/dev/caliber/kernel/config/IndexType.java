package dev.caliber.kernel.config;

/** The kinds of index that a configuration may ask for. */
public enum IndexType {
  /** Ordered values. */
  BTREE,
  /** Equal values. */
  HASH,
  /** Parts of texts and JSON. */
  GIN,
  /** Near vectors, by a graph. */
  HNSW,
  /** Near vectors, by lists. */
  IVFFLAT
}
