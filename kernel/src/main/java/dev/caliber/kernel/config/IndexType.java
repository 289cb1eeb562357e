package dev.caliber.kernel.config;

/** Kinds of index that a configuration may ask for. */
public enum IndexType {
  /** Index of ordered values. */
  BTREE,
  /** Index of equal values. */
  HASH,
  /** Index of parts of texts and JSON. */
  GIN,
  /** Index of near vectors, by a graph. */
  HNSW,
  /** Index of near vectors, by lists. */
  IVFFLAT
}
