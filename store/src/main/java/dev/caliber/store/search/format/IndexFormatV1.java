package dev.caliber.store.search.format;

import dev.caliber.store.search.Searchable;
import java.util.Locale;

/**
 * Format of an index directory: {@code index.json} states the recipe, the rest is Lucene's. Each
 * record is one Lucene document (words, filters, first vector), followed by one more for each
 * further chunk of its text (filters and vector).
 *
 * <p>The user data of a Lucene commit hold the position in the feed, so that both change together.
 */
public final class IndexFormatV1 {

  /**
   * Number of the format, raised when documents are laid out differently: every index is then
   * rebuilt.
   */
  static final int NUMBER = 2;

  public static final String META_FILE = "index.json";
  public static final String CLEAN_FILE = "closed-cleanly";
  public static final String FOLLOWER_FILE = "follower";

  /** Table and key; in all documents of a record. */
  public static final String ID = "_id";

  public static final String TABLE = "_table";

  /** Mark on the first document of each record. */
  public static final String FIRST = "_first";

  public static final String YES = "1";
  public static final String GROUP = "_group";
  public static final String POSITION = "_position";

  /** Ids of the documents that a record links to. */
  public static final String LINKS = "_links";

  public static final String TIME = "_time";
  public static final String TRUST = "_trust";
  public static final String VECTOR = "_vector";

  /** Cache keys of a record's vectors; on the first of its documents. */
  public static final String KEY = "_key";

  /** Number of a record's Lucene documents; on the first of them. */
  public static final String PIECES = "_pieces";

  /** Distance of a further document from the first of its record. */
  public static final String OFFSET = "_offset";

  /** Share of the body that asks, from 0 to 1, and the number of characters of the body. */
  public static final String ASKING = "_asking";

  public static final String CHARACTERS = "_characters";

  /** Mark on documents some of whose vectors are still missing. */
  public static final String PENDING = "_pending";

  /** Mark on documents whose text cannot be embedded. */
  public static final String FAILED = "_failed";

  /** Hash of the content of all documents of a record. */
  public static final String PRINT = "_print";

  /** Names of the filter fields that a record has. */
  public static final String HAS = "_has";

  static final String EPOCH = "epoch";
  static final String SEQUENCE = "sequence";
  static final String COMPLETE = "complete";

  /** Table and key that were reached while an index is built from the records. */
  static final String SCAN_TABLE = "scan_table";

  static final String SCAN_KEY = "scan_key";

  private IndexFormatV1() {}

  public static String tableOf(String id) {
    return id.substring(0, id.indexOf(Searchable.BETWEEN));
  }

  public static String keyOf(String id) {
    return id.substring(id.indexOf(Searchable.BETWEEN) + 1);
  }

  public static String textField(Searchable.TextRole textRole) {
    return textRole.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the field with the number of words of a text field; Lucene's own norms are rounded. */
  public static String lengthField(String textField) {
    return "_length_" + textField;
  }

  public static String filterField(String field) {
    return "f_" + field;
  }
}
