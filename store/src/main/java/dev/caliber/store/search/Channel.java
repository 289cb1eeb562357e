package dev.caliber.store.search;

/** One way in which a document can be near to a query. */
public enum Channel {
  /** The query's words are in it (BM25). */
  LEXICAL,
  /** Its vector points where the query's does. */
  DENSE,
  /** The documents right before and after it are near. */
  NEIGHBOURHOOD,
  /** The best documents of its session are near. */
  SESSION,
  /** Near documents link to it. */
  LINKS,
  /** It is said by the one whom the query names. */
  SPEAKER,
  /** It is of the time that the query names. */
  PERIOD,
  /** It tells something, rather than asks what the next document answers. */
  STATEMENT,
  /** It is recent. */
  TIME,
  /** It is trusted. */
  TRUST
}
