package dev.caliber.store.jdbc.postgres;

import dev.caliber.store.ColumnType;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.TableSql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** PostgreSQL dialect: text in byte order, instants as timestamps with time zone. */
final class PostgresDialect implements Dialect {

  private static final int CLASS_LENGTH = 2;

  private final String place;

  PostgresDialect(String place) {
    this.place = place;
  }

  @Override
  public String textType() {
    return "text COLLATE \"C\"";
  }

  @Override
  public String longType() {
    return "bigint";
  }

  @Override
  public String binaryType() {
    return "bytea";
  }

  @Override
  public String columnType(ColumnType type) {
    return switch (type) {
      case TEXT -> textType();
      case INTEGER -> "bigint";
      case REAL -> "double precision";
      case FLAG -> "boolean";
      case INSTANT -> "timestamptz";
    };
  }

  @Override
  public String tableSuffix() {
    return "";
  }

  @Override
  public String clusteredSuffix() {
    return "";
  }

  @Override
  public String createView() {
    return "CREATE OR REPLACE VIEW";
  }

  @Override
  public String columnNamesQuery() {
    return "SELECT column_name FROM information_schema.columns"
        + " WHERE table_schema = current_schema() AND table_name = ?";
  }

  @Override
  public String indexNamesQuery() {
    return "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()";
  }

  @Override
  public Optional<String> tableComment(String table, String description) {
    return Optional.of(comment("TABLE", table, description));
  }

  @Override
  public Optional<String> viewComment(String view, String description) {
    return Optional.of(comment("VIEW", view, description));
  }

  private static String comment(String kind, String name, String description) {
    return "COMMENT ON %s %s IS '%s'"
        .formatted(kind, TableSql.quote(name), description.replace("'", "''"));
  }

  @Override
  public String indexHint(String index) {
    return "";
  }

  @Override
  public String inTextsCondition() {
    return " = ANY (?)";
  }

  @Override
  public void bindTexts(PreparedStatement statement, int position, Collection<String> texts)
      throws SQLException {
    statement.setArray(position, statement.getConnection().createArrayOf("text", texts.toArray()));
  }

  @Override
  public void bind(
      PreparedStatement statement, int position, ColumnType type, @Nullable Object value)
      throws SQLException {
    switch (type) {
      case TEXT -> statement.setString(position, (String) value);
      case INTEGER -> set(statement, position, value, Types.BIGINT);
      case REAL -> set(statement, position, value, Types.DOUBLE);
      case FLAG -> set(statement, position, value, Types.BOOLEAN);
      case INSTANT -> bindInstant(statement, position, (Instant) value);
    }
  }

  /**
   * Binds null with the type of an instant: with another type the driver has the statement parsed
   * anew.
   */
  private static void bindInstant(
      PreparedStatement statement, int position, @Nullable Instant value) throws SQLException {
    if (value == null) {
      statement.setNull(position, Types.TIMESTAMP_WITH_TIMEZONE, "timestamptz");
    } else {
      statement.setObject(position, value.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
    }
  }

  private static void set(
      PreparedStatement statement, int position, @Nullable Object value, int type)
      throws SQLException {
    if (value == null) {
      statement.setNull(position, type);
    } else {
      statement.setObject(position, value, type);
    }
  }

  @Override
  public @Nullable Object read(ResultSet rows, int position, ColumnType type) throws SQLException {
    Object value =
        switch (type) {
          case TEXT -> rows.getString(position);
          case INTEGER -> rows.getLong(position);
          case REAL -> rows.getDouble(position);
          case FLAG -> rows.getBoolean(position);
          case INSTANT -> rows.getObject(position, OffsetDateTime.class);
        };
    if (rows.wasNull() || value == null) {
      return null;
    }
    return value instanceof OffsetDateTime time ? time.toInstant() : value;
  }

  @Override
  public StoreException translate(String doing, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    if (isConnectionLoss(e)) {
      return StoreException.transactionFailed(
          "The connection to the database %s was lost".formatted(place), e);
    }
    return switch (state) {
      case "23505" -> StoreException.notUnique(constraint(e));
      case "53100" -> StoreException.diskFull(place, e);
      case "25006" -> StoreException.readOnly(place);
      case "57014" ->
          StoreException.transactionFailed(
              "%s took longer than store.postgres.statement-timeout".formatted(doing), e);
      case "55P03" ->
          StoreException.transactionFailed("%s waited too long for a lock".formatted(doing), e);
      case "XX001", "XX002" ->
          StoreException.corrupt("%s is damaged: %s".formatted(place, e.getMessage()), e);
      default -> StoreException.engineFailed("%s failed on %s".formatted(doing, place), e);
    };
  }

  /**
   * Returns whether the connection was lost: class 08 is the connection itself, 57P0x a server that
   * shuts down or ends the connection.
   */
  static boolean isConnectionLoss(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return state.startsWith("08") || state.startsWith("57P0");
  }

  /** Returns whether the server refused the login: class 28 and unknown databases. */
  static boolean isLoginRefusal(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return state.length() > CLASS_LENGTH && (state.startsWith("28") || state.startsWith("3D"));
  }

  private static String constraint(SQLException e) {
    ServerErrorMessage message =
        e instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    return String.valueOf(message == null ? e.getMessage() : message.getConstraint());
  }
}
