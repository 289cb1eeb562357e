package dev.caliber.store.jdbc;

import dev.caliber.store.jdbc.sql.AppendedRow;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.PreparedTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Buffer of the rows appended by the writes of a group. It is flushed with the commit, or earlier
 * when a write of the group reads the table. Rows of a refused write are dropped; rows of earlier
 * writes that were flushed after the savepoint are queued again.
 */
final class PendingAppends {

  /** Upper bound of the buffered rows in bytes. */
  private static final long HELD_BYTES_BOUND = 1 << 20;

  private final DatabaseSession databaseSession;
  private final SendListener sendListener;

  /** Unsent rows of accepted writes. */
  private final List<AppendedRow> waiting = new ArrayList<>();

  /** Unsent rows of the current write. */
  private final List<AppendedRow> own = new ArrayList<>();

  /** Rows of accepted writes sent after the savepoint; a rollback to it removes them. */
  private final List<AppendedRow> sentBehindMark = new ArrayList<>();

  /** Tables of all unsent rows. */
  private final Set<PreparedTable<?>> tables = new HashSet<>();

  private long bytes;

  /** Listener that is called before a write sends statements that change something. */
  interface SendListener {
    void beforeSend() throws SQLException;
  }

  PendingAppends(DatabaseSession databaseSession, SendListener sendListener) {
    this.databaseSession = databaseSession;
    this.sendListener = sendListener;
  }

  void add(AppendedRow row) throws SQLException {
    own.add(row);
    tables.add(row.table());
    bytes += row.bytes();
    if (bytes > HELD_BYTES_BOUND) {
      send(_ -> true);
    }
  }

  boolean hasPendingRows(PreparedTable<?> table) {
    return tables.contains(table);
  }

  /** Sends the rows of this table, because a statement is about to read or write it. */
  void flush(PreparedTable<?> table) throws SQLException {
    send(row -> row.table().equals(table));
  }

  /** Called before a write sends any other statement that changes something. */
  void beforeSend() throws SQLException {
    sendListener.beforeSend();
  }

  private void send(Predicate<AppendedRow> which) throws SQLException {
    beforeSend();
    List<AppendedRow> ofOthers = waiting.stream().filter(which).toList();
    AppendedRow.send(
        databaseSession, Stream.concat(ofOthers.stream(), own.stream().filter(which)).toList());
    sentBehindMark.addAll(ofOthers);
    waiting.removeIf(which);
    own.removeIf(which);
    recount();
  }

  private void recount() {
    tables.clear();
    bytes = 0;
    for (AppendedRow row : Stream.concat(waiting.stream(), own.stream()).toList()) {
      tables.add(row.table());
      bytes += row.bytes();
    }
  }

  void acceptWrite() {
    waiting.addAll(own);
    own.clear();
  }

  /**
   * Drops the rows of the current write.
   *
   * @param rolledBack whether the rows that were sent after the savepoint are gone, too
   */
  void dropRefusedWrite(boolean rolledBack) {
    own.clear();
    if (rolledBack) {
      waiting.addAll(sentBehindMark);
      sentBehindMark.clear();
    }
    recount();
  }

  void savepointMoved() {
    sentBehindMark.clear();
  }

  /** Returns the rows left for the commit. */
  List<AppendedRow> pendingRows() {
    return List.copyOf(waiting);
  }
}
