package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds a row to a statement: revision, schema, checksum, body, binaries, columns. */
final class RowBinder {

  /** Longest key, in UTF-8 bytes. */
  static final int KEY_BOUND = 512;

  private RowBinder() {}

  /** Where a row goes, and which of its columns are written beside the body. */
  record Place<T>(Table<T> table, List<Column<T>> columns, String space, String key) {

    /** What the record has in these columns. */
    List<@Nullable Object> values(T record) {
      List<@Nullable Object> values = new ArrayList<>(columns.size());
      for (Column<T> column : columns) {
        values.add(columnValue(table, column, record));
      }
      return values;
    }
  }

  /** Returns the next free position. */
  static <T> int bind(
      Session session,
      PreparedStatement statement,
      int first,
      Place<T> place,
      StoredBody body,
      List<@Nullable Object> values)
      throws SQLException {
    int position = bindBody(session, statement, first, place, body);
    for (int i = 0; i < values.size(); i++) {
      session.dialect().bind(statement, position++, place.columns().get(i).type(), values.get(i));
    }
    return position;
  }

  private static <T> int bindBody(
      Session session, PreparedStatement statement, int first, Place<T> place, StoredBody body)
      throws SQLException {
    int position = first;
    statement.setLong(position++, body.revision());
    statement.setInt(position++, body.schema());
    statement.setLong(
        position++,
        session.checksum().of(place.space(), place.key(), body, place.table().binaries()));
    statement.setString(position++, new String(body.json(), StandardCharsets.UTF_8));
    for (byte @Nullable [] binary : body.binaries()) {
      if (binary == null) {
        statement.setNull(position++, Types.BINARY);
      } else {
        statement.setBytes(position++, binary);
      }
    }
    return position;
  }

  static <T> @Nullable Object columnValue(Table<T> table, Column<T> column, T record) {
    Object value = column.value().apply(record);
    if (value == null) {
      return null;
    }
    try {
      return column.type().check(value);
    } catch (IllegalArgumentException e) {
      throw StoreException.invalidRecord(
          table.name(), "column '%s': %s".formatted(column.name(), e.getMessage()));
    }
  }

  /** An index may refuse a long text: better in its own write than in a commit with others. */
  static <T> boolean hasLongColumn(Table<T> table, T record) {
    for (Column<T> column : table.columns()) {
      if (column.value().apply(record) instanceof String text && text.length() > KEY_BOUND) {
        return true;
      }
    }
    return false;
  }

  static void requireSize(Table<?> table, StoredBody body, DataSize limit) {
    long bytes = bytes(body);
    if (bytes > limit.bytes()) {
      throw StoreException.invalidRecord(
          table.name(), "it has %d bytes, store.writes.record-limit is %s".formatted(bytes, limit));
    }
  }

  static long bytes(StoredBody body) {
    long bytes = body.json().length;
    for (byte @Nullable [] binary : body.binaries()) {
      bytes += binary == null ? 0 : binary.length;
    }
    return bytes;
  }

  static void requireKey(Table<?> table, String key) {
    try {
      ColumnType.requireText(key);
    } catch (IllegalArgumentException e) {
      throw StoreException.invalidRecord(table.name(), "key: " + e.getMessage());
    }
    if (key.isEmpty() || key.getBytes(StandardCharsets.UTF_8).length > KEY_BOUND) {
      throw StoreException.invalidRecord(
          table.name(), "a key has 1 to %d bytes".formatted(KEY_BOUND));
    }
  }
}
