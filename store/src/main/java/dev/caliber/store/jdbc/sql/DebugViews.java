package dev.caliber.store.jdbc.sql;

import dev.caliber.store.Table;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** Views for people with an SQL prompt. Nothing in the running system reads them. */
public final class DebugViews {

  private static final String MARK = "human debug interface - not for agent runtime use";

  private DebugViews() {}

  public static void create(DatabaseSession databaseSession) throws SQLException {
    create(
        databaseSession,
        "debug_spaces",
        """
        SELECT name, epoch, sequence AS last_commit, created_at,
        (SELECT count(*) FROM store_feed WHERE space = name) AS commits_kept,
        (SELECT count(*) FROM store_follower f WHERE f.space = store_space.name) AS followers
        FROM store_space""");
    create(
        databaseSession,
        "debug_tables",
        "SELECT name, description, schema, columns FROM store_table");
    create(
        databaseSession,
        "debug_feed",
        """
        SELECT space, sequence, "time", host, host_counter, changes FROM store_feed""");
  }

  /** Creates the views that a table declares; the tables that they read have to exist. */
  public static void create(DatabaseSession databaseSession, Table<?> table) throws SQLException {
    for (Map.Entry<String, String> view : table.views().entrySet()) {
      create(databaseSession, view.getKey(), view.getValue());
    }
  }

  /**
   * Creates a view that is marked as for debugging: in its text, which SQLite keeps, and in its
   * description, where the engine keeps one.
   */
  private static void create(DatabaseSession databaseSession, String name, String select)
      throws SQLException {
    databaseSession.executeOnce(
        "%s %s AS /* %s */ %s"
            .formatted(databaseSession.dialect().createView(), name, MARK, select));
    Optional<String> description = databaseSession.dialect().viewComment(name, MARK);
    if (description.isPresent()) {
      databaseSession.executeOnce(description.get());
    }
  }
}
