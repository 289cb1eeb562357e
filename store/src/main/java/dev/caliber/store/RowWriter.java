package dev.caliber.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes whole rows of one table, with columns computed from the record. */
final class RowWriter<T> {

  /** How many columns may change by a statement of their own, so that statements stay few. */
  private static final int CHANGED_BOUND = 2;

  private final Session session;
  private final TableRuntime<T> runtime;

  RowWriter(Session session, TableRuntime<T> runtime) {
    this.session = session;
    this.runtime = runtime;
  }

  /** False if the key, or a value in a unique index, is there already. */
  boolean insert(String space, String key, StoredBody body, T record) throws SQLException {
    return insertOf(space, key, body, record).execute(session) > 0;
  }

  RowWrite insertOf(String space, String key, StoredBody body, T record) {
    return new RowWrite(key, runtime.sql().insert, bindingOf(place(space, key), body, record));
  }

  AppendedRow appendOf(String space, String key, StoredBody body, T record) {
    return new AppendedRow(
        runtime, RowBinder.bytes(body), bindingOf(place(space, key), body, record));
  }

  private RowWrite.Binding bindingOf(RowBinder.Place<T> place, StoredBody body, T record) {
    List<@Nullable Object> values = place.values(record);
    return (statement, first) -> {
      int position = first;
      statement.setString(position++, place.space());
      statement.setString(position++, place.key());
      return RowBinder.bind(session, statement, position, place, body, values);
    };
  }

  void update(String space, String key, StoredBody body, T record) throws SQLException {
    updateOf(space, key, body, record).execute(session);
  }

  RowWrite updateOf(String space, String key, StoredBody body, T record) {
    return updateOf(runtime.sql().update, place(space, key), body, record);
  }

  /** The same where the row before is known: a column that stays costs its indexes nothing. */
  RowWrite updateOf(String space, String key, StoredBody body, T before, T record) {
    List<Column<T>> changed = changed(before, record);
    RowBinder.Place<T> place = new RowBinder.Place<>(runtime.table(), changed, space, key);
    return updateOf(runtime.sql().update(changed), place, body, record);
  }

  private RowWrite updateOf(String sql, RowBinder.Place<T> place, StoredBody body, T record) {
    List<@Nullable Object> values = place.values(record);
    return new RowWrite(
        place.key(),
        sql,
        (statement, first) -> {
          int position = RowBinder.bind(session, statement, first, place, body, values);
          statement.setString(position++, place.space());
          statement.setString(position++, place.key());
          return position;
        });
  }

  /** The columns that differ; all of them where so many do that the way is a rare one. */
  private List<Column<T>> changed(T before, T record) {
    List<Column<T>> changed = new ArrayList<>();
    for (Column<T> column : runtime.table().columns()) {
      if (!Objects.equals(column.value().apply(before), column.value().apply(record))) {
        changed.add(column);
      }
    }
    return changed.size() > CHANGED_BOUND ? runtime.table().columns() : changed;
  }

  private RowBinder.Place<T> place(String space, String key) {
    return new RowBinder.Place<>(runtime.table(), runtime.table().columns(), space, key);
  }

  /** The revision of the row with this key, if there is one. */
  Optional<Long> revision(String space, String key) throws SQLException {
    PreparedStatement statement = session.statement(runtime.sql().select);
    statement.setString(1, space);
    statement.setString(2, key);
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(rows.getLong(2)) : Optional.empty();
    }
  }

  /** The unique index that holds this record's values already. */
  Optional<Index> duplicated(String space, T record) throws SQLException {
    for (Index index : runtime.table().indexes()) {
      if (index.unique() && holdsSameValues(space, index, record)) {
        return Optional.of(index);
      }
    }
    return Optional.empty();
  }

  private boolean holdsSameValues(String space, Index index, T record) throws SQLException {
    PreparedStatement statement = session.statement(runtime.sql().duplicateOf(index));
    statement.setString(1, space);
    int position = 2;
    for (String name : index.columns()) {
      Column<T> column = runtime.table().column(name);
      Object value = RowBinder.columnValue(runtime.table(), column, record);
      session.dialect().bind(statement, position++, column.type(), value);
    }
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }
}
