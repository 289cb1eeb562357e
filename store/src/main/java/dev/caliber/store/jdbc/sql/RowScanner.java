package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Column;
import dev.caliber.store.ColumnType;
import dev.caliber.store.Table;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Scanner of every row of a table over all spaces, a bounded number at a time, on a keeper session.
 */
public final class RowScanner {

  private static final int ROWS_AT_ONCE = 500;
  private static final int BODY = 5;

  /** Placeholder for a column whose value does not have its type. */
  static final Object UNREADABLE = "a value of another type";

  private final DatabaseSession databaseSession;

  public RowScanner(DatabaseSession databaseSession) {
    this.databaseSession = databaseSession;
  }

  /** Receiver of a row and of its stored columns, which follow it in the result. */
  public interface RowVisitor {
    void visit(StoredRow row, List<@Nullable Object> columns) throws SQLException;
  }

  private record ScannedRow(StoredRow row, List<@Nullable Object> columns) {}

  public <T> void forEachRow(PreparedTable<T> runtime, RowVisitor rowVisitor) throws SQLException {
    forEachRow(runtime, Optional.empty(), rowVisitor);
  }

  /** Visits every row of one space, or of all of them. */
  public <T> void forEachRow(
      PreparedTable<T> runtime, Optional<SpaceId> only, RowVisitor rowVisitor) throws SQLException {
    String space = only.map(SpaceId::value).orElse("");
    String key = "";
    while (true) {
      List<ScannedRow> rows = fetch(runtime, space, key);
      for (ScannedRow scannedRow : rows) {
        if (only.isPresent() && !scannedRow.row.space().equals(only.get().value())) {
          return;
        }
        rowVisitor.visit(scannedRow.row, scannedRow.columns);
      }
      if (rows.size() < ROWS_AT_ONCE) {
        return;
      }
      space = rows.getLast().row.space();
      key = rows.getLast().row.key();
    }
  }

  private <T> List<ScannedRow> fetch(PreparedTable<T> runtime, String space, String key)
      throws SQLException {
    PreparedStatement statement = databaseSession.statement(runtime.sql().selectAll);
    statement.setString(1, space);
    statement.setString(2, key);
    statement.setInt(3, ROWS_AT_ONCE);
    List<ScannedRow> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(scannedRow(runtime.table(), result));
      }
    }
    return rows;
  }

  private <T> ScannedRow scannedRow(Table<T> table, ResultSet result) throws SQLException {
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
    return new ScannedRow(new StoredRow(space, key, body, crc), columns);
  }

  private @Nullable Object read(ResultSet result, int position, ColumnType type)
      throws SQLException {
    try {
      return databaseSession.dialect().read(result, position, type);
    } catch (CaliberException _) {
      return UNREADABLE;
    }
  }
}
