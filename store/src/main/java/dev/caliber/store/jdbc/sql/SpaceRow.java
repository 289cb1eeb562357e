package dev.caliber.store.jdbc.sql;

import dev.caliber.store.ColumnType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Stored row of a space. */
public record SpaceRow(String name, SpaceHead head, Instant createdAt) {

  private static final String SELECT =
      """
      SELECT "name", "epoch", "sequence", "host_counter", "created_at" FROM store_space
      ORDER BY "name\"""";

  private static final String PUT =
      """
      INSERT INTO store_space ("name", "epoch", "sequence", "host_counter", "created_at")
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT ("name") DO UPDATE SET "epoch" = excluded."epoch",
      "sequence" = excluded."sequence", "host_counter" = excluded."host_counter",
      "created_at" = excluded."created_at\"""";

  public static List<SpaceRow> readAll(DatabaseSession databaseSession) throws SQLException {
    List<SpaceRow> spaces = new ArrayList<>();
    try (ResultSet rows = databaseSession.statement(SELECT).executeQuery()) {
      while (rows.next()) {
        int position = 1;
        String name = rows.getString(position++);
        SpaceHead head =
            new SpaceHead(
                rows.getLong(position++), rows.getLong(position++), rows.getLong(position++));
        Object created = databaseSession.dialect().read(rows, position, ColumnType.INSTANT);
        spaces.add(new SpaceRow(name, head, (Instant) Objects.requireNonNull(created)));
      }
    }
    return spaces;
  }

  public void put(DatabaseSession databaseSession) throws SQLException {
    PreparedStatement statement = databaseSession.statement(PUT);
    int position = 1;
    statement.setString(position++, name);
    statement.setLong(position++, head.epoch());
    statement.setLong(position++, head.sequence());
    statement.setLong(position++, head.hostCounter());
    databaseSession.dialect().bind(statement, position, ColumnType.INSTANT, createdAt);
    statement.executeUpdate();
  }
}
