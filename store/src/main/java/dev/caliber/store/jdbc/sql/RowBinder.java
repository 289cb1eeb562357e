package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.Column;
import dev.caliber.store.ColumnType;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binder of a row's values to a statement: revision, schema, checksum, body, binaries, columns. */
public final class RowBinder {

  /** Longest key in UTF-8 bytes. */
  static final int KEY_BOUND = 512;

  /** Longest text in characters that cannot exceed the bound of an index, whatever its columns. */
  private static final int SHORT_TEXT_BOUND = 100;

  private RowBinder() {}

  /** Destination of a row: its table, space and key, and the columns written beside the body. */
  record RowTarget<T>(Table<T> table, List<Column<T>> columns, String space, String key) {

    /** Returns the record's values of these columns. */
    List<@Nullable Object> values(T record) {
      List<@Nullable Object> values = new ArrayList<>(columns.size());
      boolean isLong = false;
      for (Column<T> column : columns) {
        Object value = columnValue(table, column, record);
        isLong |= value instanceof String text && text.length() > SHORT_TEXT_BOUND;
        values.add(value);
      }
      if (isLong) {
        requireIndexable(table, record);
      }
      return values;
    }
  }

  /** Binds the row and returns the next free position. */
  static <T> int bind(
      DatabaseSession databaseSession,
      PreparedStatement statement,
      int first,
      RowTarget<T> rowTarget,
      StoredBody body,
      List<@Nullable Object> values)
      throws SQLException {
    int position = bindBody(databaseSession, statement, first, rowTarget, body);
    for (int i = 0; i < values.size(); i++) {
      databaseSession
          .dialect()
          .bind(statement, position++, rowTarget.columns().get(i).type(), values.get(i));
    }
    return position;
  }

  private static <T> int bindBody(
      DatabaseSession databaseSession,
      PreparedStatement statement,
      int first,
      RowTarget<T> rowTarget,
      StoredBody body)
      throws SQLException {
    int position = first;
    statement.setLong(position++, body.revision());
    statement.setInt(position++, body.schema());
    statement.setLong(
        position++,
        databaseSession
            .checksum()
            .compute(rowTarget.space(), rowTarget.key(), body, rowTarget.table().binaries()));
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

  public static <T> @Nullable Object columnValue(Table<T> table, Column<T> column, T record) {
    Object value = column.value().apply(record);
    if (value == null) {
      return null;
    }
    try {
      return column.type().checkedValue(value);
    } catch (IllegalArgumentException e) {
      throw StoreException.invalidRecord(
          table.name(), "column '%s': %s".formatted(column.name(), e.getMessage()));
    }
  }

  /**
   * Refuses texts that are too long for an index. Both engines refuse them alike, so that a store
   * can move to the other engine.
   */
  private static <T> void requireIndexable(Table<T> table, T record) {
    for (TableIndex tableIndex : table.indexes()) {
      long bytes = 0;
      for (String column : tableIndex.columns()) {
        if (table.column(column).value().apply(record) instanceof String text) {
          bytes += text.getBytes(StandardCharsets.UTF_8).length;
        }
      }
      if (bytes > Table.INDEXED_TEXTS_BOUND) {
        throw StoreException.invalidRecord(
            table.name(),
            "%s has %d bytes; indexed texts have at most %d together"
                .formatted(
                    String.join(", ", tableIndex.columns()), bytes, Table.INDEXED_TEXTS_BOUND));
      }
    }
  }

  public static void requireSize(Table<?> table, StoredBody body, DataSize limit) {
    long bytes = bytes(body);
    if (bytes > limit.bytes()) {
      throw StoreException.invalidRecord(
          table.name(),
          "the record has %d bytes, but store.writes.record-limit is %s".formatted(bytes, limit));
    }
  }

  static long bytes(StoredBody body) {
    long bytes = body.json().length;
    for (byte @Nullable [] binary : body.binaries()) {
      bytes += binary == null ? 0 : binary.length;
    }
    return bytes;
  }

  public static void requireKey(Table<?> table, String key) {
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
