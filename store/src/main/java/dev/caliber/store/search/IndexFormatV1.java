package dev.caliber.store.search;

import java.util.Locale;

/**
 * What lies in an index directory: {@code index.json} says what it was made with, the rest is
 * Lucene's. Each record is one Lucene document (words, filters, first vector), followed by one more
 * for each further piece of its text (filters and vector).
 *
 * <p>The user data of a Lucene commit hold the place in the feed, so that both change together.
 */
final class IndexFormatV1 {

  /** Raised when documents are laid out differently: every index is then built anew. */
  static final int NUMBER = 2;

  static final String META_FILE = "index.json";
  static final String CLEAN_FILE = "closed-cleanly";
  static final String FOLLOWER_FILE = "follower";

  /** Table and key; in all documents of a record. */
  static final String ID = "_id";

  static final String TABLE = "_table";

  /** On the first document of each record. */
  static final String FIRST = "_first";

  static final String YES = "1";
  static final String GROUP = "_group";
  static final String POSITION = "_position";

  /** The ids of the documents that a record links to. */
  static final String LINKS = "_links";

  static final String TIME = "_time";
  static final String TRUST = "_trust";
  static final String VECTOR = "_vector";

  /** The keys that a record's vectors have in the cache; on the first of its documents. */
  static final String KEY = "_key";

  /** How many Lucene documents a record has; on the first of them. */
  static final String PIECES = "_pieces";

  /** How far a further document is behind the first of its record. */
  static final String OFFSET = "_offset";

  /** How much of the body asks, from 0 to 1, and how many characters the body has. */
  static final String ASKING = "_asking";

  static final String CHARACTERS = "_characters";

  /** On documents some of whose vectors are still missing. */
  static final String PENDING = "_pending";

  /** On documents whose text cannot be embedded. */
  static final String FAILED = "_failed";

  /** The hash of everything that a record's documents hold. */
  static final String PRINT = "_print";

  /** The names of the filter fields that a record has. */
  static final String HAS = "_has";

  static final String EPOCH = "epoch";
  static final String SEQUENCE = "sequence";
  static final String COMPLETE = "complete";

  /** While an index is built from the records: the table and the key that were reached. */
  static final String SCAN_TABLE = "scan_table";

  static final String SCAN_KEY = "scan_key";

  private static final char BETWEEN = '/';

  private IndexFormatV1() {}

  static String id(String table, String key) {
    return table + BETWEEN + key;
  }

  static String tableOf(String id) {
    return id.substring(0, id.indexOf(BETWEEN));
  }

  static String keyOf(String id) {
    return id.substring(id.indexOf(BETWEEN) + 1);
  }

  static String text(Searchable.Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  /** How many words a text field has; Lucene's own norms are rounded. */
  static String length(String textField) {
    return "_length_" + textField;
  }

  static String filter(String field) {
    return "f_" + field;
  }
}
