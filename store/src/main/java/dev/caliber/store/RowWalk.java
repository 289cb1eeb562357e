package dev.caliber.store;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks every row of a table over all spaces, a bounded number at a time, on a keeper's session.
 */
final class RowWalk {

  private static final int ROWS_AT_ONCE = 500;
  private static final int BODY = 5;

  /** Stands for a column whose value is none of its type. */
  static final Object UNREADABLE = "a value of another type";

  private final Session session;

  RowWalk(Session session) {
    this.session = session;
  }

  /** Receives a row and, behind it in the result, its columns as they are stored. */
  interface Visitor {
    void visit(StoredRow row, List<@Nullable Object> columns) throws SQLException;
  }

  private record Visited(StoredRow row, List<@Nullable Object> columns) {}

  <T> void each(TableRuntime<T> runtime, Visitor visitor) throws SQLException {
    each(runtime, Optional.empty(), visitor);
  }

  /** In one space, or in all of them. */
  <T> void each(TableRuntime<T> runtime, Optional<SpaceId> only, Visitor visitor)
      throws SQLException {
    String space = only.map(SpaceId::value).orElse("");
    String key = "";
    while (true) {
      List<Visited> rows = fetch(runtime, space, key);
      for (Visited visited : rows) {
        if (only.isPresent() && !visited.row.space().equals(only.get().value())) {
          return;
        }
        visitor.visit(visited.row, visited.columns);
      }
      if (rows.size() < ROWS_AT_ONCE) {
        return;
      }
      space = rows.getLast().row.space();
      key = rows.getLast().row.key();
    }
  }

  private <T> List<Visited> fetch(TableRuntime<T> runtime, String space, String key)
      throws SQLException {
    PreparedStatement statement = session.statement(runtime.sql().selectAll);
    statement.setString(1, space);
    statement.setString(2, key);
    statement.setInt(3, ROWS_AT_ONCE);
    List<Visited> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(visited(runtime.table(), result));
      }
    }
    return rows;
  }

  private <T> Visited visited(Table<T> table, ResultSet result) throws SQLException {
    int position = 1;
    String key = result.getString(position++);
    long revision = result.getLong(position++);
    int schema = result.getInt(position++);
    long crc = result.getLong(position);
    byte[] json = result.getBytes(BODY);
    position = BODY + 1;
    List<byte @Nullable []> binaries = new ArrayList<>();
    for (int i = 0; i < table.binaries().size(); i++) {
      binaries.add(result.getBytes(position++));
    }
    String space = result.getString(position++);
    List<@Nullable Object> columns = new ArrayList<>();
    for (Column<T> column : table.columns()) {
      columns.add(read(result, position++, column.type()));
    }
    StoredBody body = new StoredBody(revision, schema, json, binaries);
    return new Visited(new StoredRow(space, key, body, crc), columns);
  }

  private @Nullable Object read(ResultSet result, int position, ColumnType type)
      throws SQLException {
    try {
      return session.dialect().read(result, position, type);
    } catch (CaliberException _) {
      return UNREADABLE;
    }
  }
}
