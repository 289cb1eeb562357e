package dev.caliber.store;

import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** Views for people with an SQL prompt. Nothing in the running system reads them. */
final class DebugViews {

  private static final String MARK = "human debug interface - not for agent runtime use";

  private DebugViews() {}

  static void create(Session session) throws SQLException {
    create(
        session,
        "debug_spaces",
        """
        SELECT name, epoch, sequence AS last_commit, created_at,
        (SELECT count(*) FROM store_feed WHERE space = name) AS commits_kept,
        (SELECT count(*) FROM store_follower f WHERE f.space = store_space.name) AS followers
        FROM store_space""");
    create(session, "debug_tables", "SELECT name, description, schema, columns FROM store_table");
    create(
        session,
        "debug_feed",
        """
        SELECT space, sequence, "time", host, host_counter, changes FROM store_feed""");
  }

  /** Those that a table declares; what they read has to be there. */
  static void create(Session session, Table<?> table) throws SQLException {
    for (Map.Entry<String, String> view : table.views().entrySet()) {
      create(session, view.getKey(), view.getValue());
    }
  }

  /** Marked in its text, which SQLite keeps, and in its description, where an engine has some. */
  private static void create(Session session, String name, String select) throws SQLException {
    session.executeOnce(
        "%s %s AS /* %s */ %s".formatted(session.dialect().createView(), name, MARK, select));
    Optional<String> description = session.dialect().describeView(name, MARK);
    if (description.isPresent()) {
      session.executeOnce(description.get());
    }
  }
}
