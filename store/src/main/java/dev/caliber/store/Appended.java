package dev.caliber.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

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

  /** Of the rows that have not been sent. */
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
      send(_ -> true);
    }
  }

  boolean isWaitingFor(TableRuntime<?> table) {
    return tables.contains(table);
  }

  /** Somebody looks at a table, or writes to it. */
  void touching(TableRuntime<?> table) throws SQLException {
    send(row -> row.table().equals(table));
  }

  private void send(Predicate<AppendedRow> which) throws SQLException {
    List<AppendedRow> ofOthers = waiting.stream().filter(which).toList();
    AppendedRow.send(
        session, Stream.concat(ofOthers.stream(), own.stream().filter(which)).toList());
    sentBehindMark.addAll(ofOthers);
    waiting.removeIf(which);
    own.removeIf(which);
    countAgain();
  }

  private void countAgain() {
    tables.clear();
    bytes = 0;
    for (AppendedRow row : Stream.concat(waiting.stream(), own.stream()).toList()) {
      tables.add(row.table());
      bytes += row.bytes();
    }
  }

  void taken() {
    waiting.addAll(own);
    own.clear();
  }

  void refused() {
    own.clear();
    waiting.addAll(sentBehindMark);
    sentBehindMark.clear();
    countAgain();
  }

  void markMoved() {
    sentBehindMark.clear();
  }

  /** What is left for the commit. */
  List<AppendedRow> waiting() {
    return List.copyOf(waiting);
  }
}
