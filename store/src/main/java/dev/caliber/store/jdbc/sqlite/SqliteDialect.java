package dev.caliber.store.jdbc.sqlite;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.ColumnType;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.TableSql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/** SQLite dialect: strict tables; instants as fixed-width UTC text, flags as 0 and 1. */
public final class SqliteDialect implements Dialect {

  private static final int PRIMARY_CODE = 0xff;

  private final String place;

  public SqliteDialect(String place) {
    this.place = place;
  }

  @Override
  public String textType() {
    return "TEXT";
  }

  @Override
  public String longType() {
    return "INTEGER";
  }

  @Override
  public String binaryType() {
    return "BLOB";
  }

  @Override
  public String columnType(ColumnType type) {
    return switch (type) {
      case TEXT, INSTANT -> "TEXT";
      case INTEGER, FLAG -> "INTEGER";
      case REAL -> "REAL";
    };
  }

  @Override
  public String tableSuffix() {
    return " STRICT";
  }

  @Override
  public String clusteredSuffix() {
    return " WITHOUT ROWID, STRICT";
  }

  @Override
  public String createView() {
    return "CREATE VIEW IF NOT EXISTS";
  }

  @Override
  public String columnNamesQuery() {
    return "SELECT name FROM pragma_table_info(?)";
  }

  @Override
  public String indexNamesQuery() {
    return "SELECT name FROM sqlite_schema WHERE type = 'index'";
  }

  @Override
  public Optional<String> tableComment(String table, String description) {
    return Optional.empty();
  }

  @Override
  public Optional<String> viewComment(String view, String description) {
    return Optional.empty();
  }

  @Override
  public String indexHint(String index) {
    return " INDEXED BY " + TableSql.quote(index);
  }

  @Override
  public String inTextsCondition() {
    return " IN (SELECT value FROM json_each(?))";
  }

  @Override
  public void bindTexts(PreparedStatement statement, int position, Collection<String> texts)
      throws SQLException {
    statement.setString(position, Json.text(texts));
  }

  @Override
  public void bind(
      PreparedStatement statement, int position, ColumnType type, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(position, Types.NULL);
      return;
    }
    switch (type) {
      case TEXT -> statement.setString(position, (String) value);
      case INTEGER -> statement.setLong(position, (Long) value);
      case REAL -> statement.setDouble(position, (Double) value);
      case FLAG -> statement.setInt(position, (Boolean) value ? 1 : 0);
      case INSTANT -> statement.setString(position, Timestamps.format((Instant) value));
    }
  }

  @Override
  public @Nullable Object read(ResultSet rows, int position, ColumnType type) throws SQLException {
    String text = rows.getString(position);
    if (text == null) {
      return null;
    }
    return switch (type) {
      case TEXT -> text;
      case INTEGER -> rows.getLong(position);
      case REAL -> rows.getDouble(position);
      case FLAG -> rows.getInt(position) != 0;
      case INSTANT -> Timestamps.parse(text);
    };
  }

  static boolean isDiskFailure(SQLException e) {
    return SQLiteErrorCode.getErrorCode(e.getErrorCode() & PRIMARY_CODE)
        == SQLiteErrorCode.SQLITE_IOERR;
  }

  @Override
  public StoreException translate(String doing, SQLException e) {
    SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(e.getErrorCode() & PRIMARY_CODE);
    return switch (code) {
      case SQLITE_FULL -> StoreException.diskFull(place, e);
      case SQLITE_READONLY, SQLITE_PERM -> StoreException.readOnly(place);
      case SQLITE_CORRUPT ->
          StoreException.corrupt("%s is damaged: %s".formatted(place, e.getMessage()), e);
      case SQLITE_NOTADB -> StoreException.unreadable(place, "the file is not a SQLite database");
      case SQLITE_CANTOPEN -> StoreException.unreadable(place, "SQLite cannot open the file");
      case SQLITE_BUSY, SQLITE_LOCKED -> StoreException.inUse(place, "another program");
      case SQLITE_CONSTRAINT -> StoreException.notUnique(String.valueOf(e.getMessage()));
      case SQLITE_IOERR ->
          StoreException.transactionFailed("The disk that holds %s failed".formatted(place), e);
      default -> StoreException.engineFailed("%s failed on %s".formatted(doing, place), e);
    };
  }
}
