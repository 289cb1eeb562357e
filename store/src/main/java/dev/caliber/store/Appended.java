package dev.caliber.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the writes of a group have appended and the database has not been told yet. It is told with
 * the commit, or before anybody looks at the table. What a refused write has appended is forgotten;
 * what was sent on its behalf for the writes before it has to be sent again.
 */
final class Appended {

  /** What waits is held in memory. */
  private static final long HELD_BYTES_BOUND = 1 << 20;

  private final Session session;

  /** Of the writes that were taken. */
  private final List<AppendedRow> waiting = new ArrayList<>();

  /** Of the write that is under way. */
  private final List<AppendedRow> own = new ArrayList<>();

  /** Of the writes that were taken, but sent behind the mark to which a refusal goes back. */
  private final List<AppendedRow> sentBehindMark = new ArrayList<>();

  /** At least those of the rows that have not been sent. */
  private final Set<TableRuntime<?>> tables = new HashSet<>();

  private long bytes;

  Appended(Session session) {
    this.session = session;
  }

  void add(AppendedRow row) throws SQLException {
    own.add(row);
    tables.add(row.table());
    bytes += row.bytes();
    if (bytes > HELD_BYTES_BOUND) {
      send();
    }
  }

  /** Somebody looks at a table, or writes to it. */
  void touching(TableRuntime<?> table) throws SQLException {
    if (tables.contains(table)) {
      send();
    }
  }

  private void send() throws SQLException {
    List<AppendedRow> all = new ArrayList<>(waiting);
    all.addAll(own);
    AppendedRow.send(session, all);
    sentBehindMark.addAll(waiting);
    waiting.clear();
    own.clear();
    tables.clear();
    bytes = 0;
  }

  void taken() {
    waiting.addAll(own);
    own.clear();
  }

  void refused() {
    own.clear();
    waiting.addAll(sentBehindMark);
    waiting.forEach(row -> tables.add(row.table()));
    sentBehindMark.clear();
  }

  void markMoved() {
    sentBehindMark.clear();
  }

  /** What is left for the commit. */
  List<AppendedRow> waiting() {
    return List.copyOf(waiting);
  }
}
