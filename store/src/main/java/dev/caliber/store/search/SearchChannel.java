package dev.caliber.store.search;

/** Criterion by which a document matches a query. */
public enum SearchChannel {
  /** The text contains the query's words (BM25). */
  LEXICAL,
  /** The vector is near the query's. */
  DENSE,
  /** The documents right before and after it match. */
  NEIGHBOURHOOD,
  /** The best documents of the same session match. */
  SESSION,
  /** Matching documents link to it. */
  LINKS,
  /** The speaker is named in the query. */
  SPEAKER,
  /** The time is in the period that the query names. */
  PERIOD,
  /** The text states something, rather than asks what the next document answers. */
  STATEMENT,
  /** The document is recent. */
  TIME,
  /** The document is trusted. */
  TRUST
}
