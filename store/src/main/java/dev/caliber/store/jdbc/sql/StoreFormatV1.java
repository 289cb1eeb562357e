package dev.caliber.store.jdbc.sql;

import java.util.List;

/**
 * Layout of a store in its database; {@link #VERSION} is the version of the layout and the tables.
 *
 * <p>Five tables are the store's own:
 *
 * <ul>
 *   <li>{@code store_meta (name, value)}: {@code format} (the number of the version that wrote it),
 *       {@code host} (the id of this store, new after a restore), {@code created_at}.
 *   <li>{@code store_table (name, description, schema, columns)}: the declared tables; {@code
 *       columns} is a JSON object from column to type.
 *   <li>{@code store_space (name, epoch, sequence, host_counter, created_at)}: one row a space;
 *       {@code sequence} is its last commit. Writers lock this row first.
 *   <li>{@code store_feed (space, sequence, host, host_counter, time, changes)}: one row a commit;
 *       {@code changes} is a JSON array of {@code [table, key, kind]}, kind being C, U or D.
 *   <li>{@code store_follower (space, name, epoch, sequence, updated_at)}: how far each follower
 *       is.
 * </ul>
 *
 * <p>Each declared table has the columns {@code space}, {@code key}, {@code revision} (the sequence
 * of the commit that last wrote the row), {@code schema} (the body's schema number), {@code crc},
 * {@code body} (JSON text), one column for each declared one, and one for each binary. {@code
 * (space, key)} is unique. A declared index begins with {@code space}, ends with {@code key} unless
 * it is unique, and holds only rows in which all of its columns have values.
 *
 * <p>{@code crc} is the CRC-32C over space, key, revision, schema, body and binaries, each text and
 * byte sequence preceded by its length, each binary by its name too (see {@code RowChecksum}).
 */
public final class StoreFormatV1 {

  /**
   * Version of the format, raised with every change of this layout and of the records, columns and
   * indexes of the declared tables, so that an older version refuses the store instead of writing
   * what a newer one cannot read. A test compares the declared tables with it.
   */
  public static final int VERSION = 3;

  /** The lowest version that can be opened: names of tables and fields have changed since. */
  public static final int OLDEST_VERSION = 3;

  /** Application id in the header of the SQLite file: "CALB". */
  public static final int APPLICATION_ID = 0x43414c42;

  public static final String META = "store_meta";
  public static final String TABLES = "store_table";
  public static final String SPACES = "store_space";
  public static final String FEED = "store_feed";
  public static final String FOLLOWERS = "store_follower";

  public static final List<String> OWN_TABLES = List.of(META, TABLES, SPACES, FEED, FOLLOWERS);

  /** Prefix of the store's own tables, which a declared table must not have. */
  static final String OWN_PREFIX = "store_";

  private StoreFormatV1() {}
}
