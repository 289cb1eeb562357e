package dev.caliber.store.jdbc.sql;

import dev.caliber.store.Column;
import dev.caliber.store.TableIndex;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writer of whole rows of one table, with columns computed from the record. */
public final class RowWriter<T> {

  /**
   * Largest number of changed columns for which an update has its own statement, so that there are
   * few statements.
   */
  private static final int CHANGED_BOUND = 2;

  private final DatabaseSession databaseSession;
  private final PreparedTable<T> runtime;

  public RowWriter(DatabaseSession databaseSession, PreparedTable<T> runtime) {
    this.databaseSession = databaseSession;
    this.runtime = runtime;
  }

  /** Inserts the row; returns false if the key, or a value in a unique index, exists already. */
  public boolean insert(String space, String key, StoredBody body, T record) throws SQLException {
    return insertOf(space, key, body, record).execute(databaseSession) > 0;
  }

  public RowWrite insertOf(String space, String key, StoredBody body, T record) {
    return new RowWrite(key, runtime.sql().insert, bindingOf(target(space, key), body, record));
  }

  public AppendedRow appendOf(String space, String key, StoredBody body, T record) {
    return new AppendedRow(
        runtime, RowBinder.bytes(body), bindingOf(target(space, key), body, record));
  }

  private RowWrite.RowValueBinding bindingOf(
      RowBinder.RowTarget<T> rowTarget, StoredBody body, T record) {
    List<@Nullable Object> values = rowTarget.values(record);
    return (statement, first) -> {
      int position = first;
      statement.setString(position++, rowTarget.space());
      statement.setString(position++, rowTarget.key());
      return RowBinder.bind(databaseSession, statement, position, rowTarget, body, values);
    };
  }

  public void update(String space, String key, StoredBody body, T record) throws SQLException {
    updateOf(space, key, body, record).execute(databaseSession);
  }

  public RowWrite updateOf(String space, String key, StoredBody body, T record) {
    return updateOf(runtime.sql().update, target(space, key), body, record);
  }

  /**
   * Returns the update of a row whose present record is known: only changed columns are written,
   * which spares the indexes of the others.
   */
  public RowWrite updateOf(String space, String key, StoredBody body, T before, T record) {
    List<Column<T>> changed = changedColumns(before, record);
    RowBinder.RowTarget<T> rowTarget =
        new RowBinder.RowTarget<>(runtime.table(), changed, space, key);
    return updateOf(runtime.sql().updateStatement(changed), rowTarget, body, record);
  }

  private RowWrite updateOf(
      String sql, RowBinder.RowTarget<T> rowTarget, StoredBody body, T record) {
    List<@Nullable Object> values = rowTarget.values(record);
    return new RowWrite(
        rowTarget.key(),
        sql,
        (statement, first) -> {
          int position = RowBinder.bind(databaseSession, statement, first, rowTarget, body, values);
          statement.setString(position++, rowTarget.space());
          statement.setString(position++, rowTarget.key());
          return position;
        });
  }

  /** Returns the columns that differ, or all columns if more than the bound differ. */
  private List<Column<T>> changedColumns(T before, T record) {
    List<Column<T>> changed = new ArrayList<>();
    for (Column<T> column : runtime.table().columns()) {
      if (!Objects.equals(column.value().apply(before), column.value().apply(record))) {
        changed.add(column);
      }
    }
    return changed.size() > CHANGED_BOUND ? runtime.table().columns() : changed;
  }

  private RowBinder.RowTarget<T> target(String space, String key) {
    return new RowBinder.RowTarget<>(runtime.table(), runtime.table().columns(), space, key);
  }

  /** Returns the revision of the row with this key, if it exists. */
  public Optional<Long> revision(String space, String key) throws SQLException {
    PreparedStatement statement = databaseSession.statement(runtime.sql().select);
    statement.setString(1, space);
    statement.setString(2, key);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(rows.getLong(2)) : Optional.empty();
    }
  }

  /** Returns the unique index that already contains this record's values. */
  public Optional<TableIndex> violatedIndex(String space, T record) throws SQLException {
    for (TableIndex tableIndex : runtime.table().indexes()) {
      if (tableIndex.unique() && holdsSameValues(space, tableIndex, record)) {
        return Optional.of(tableIndex);
      }
    }
    return Optional.empty();
  }

  private boolean holdsSameValues(String space, TableIndex tableIndex, T record)
      throws SQLException {
    PreparedStatement statement =
        databaseSession.statement(runtime.sql().selectDuplicate(tableIndex));
    statement.setString(1, space);
    int position = 2;
    for (String name : tableIndex.columns()) {
      Column<T> column = runtime.table().column(name);
      Object value = RowBinder.columnValue(runtime.table(), column, record);
      databaseSession.dialect().bind(statement, position++, column.type(), value);
    }
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }
}
