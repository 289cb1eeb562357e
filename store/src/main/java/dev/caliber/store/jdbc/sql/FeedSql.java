package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.ColumnType;
import dev.caliber.store.Commit;
import dev.caliber.store.RecordChange;
import dev.caliber.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * SQL of the feed's rows, which are written with the commit they describe and read by followers.
 */
public final class FeedSql {

  public static final String INSERT =
      """
      INSERT INTO store_feed ("space", "sequence", "host", "host_counter", "time", "changes")
      VALUES (?, ?, ?, ?, ?, ?)""";

  private static final String SELECT =
      """
      SELECT "sequence", "host", "host_counter", "time", "changes" FROM store_feed
      WHERE "space" = ? AND "sequence" > ? ORDER BY "sequence" LIMIT ?""";

  private FeedSql() {}

  public static void append(DatabaseSession databaseSession, List<Commit> commits)
      throws SQLException {
    PreparedStatement statement = databaseSession.statement(INSERT);
    for (Commit commit : commits) {
      bind(databaseSession, statement, 1, commit);
      if (commits.size() == 1) {
        statement.executeUpdate();
      } else {
        statement.addBatch();
      }
    }
    if (commits.size() > 1) {
      statement.executeBatch();
    }
  }

  /** Binds a commit's values and returns the next free position. */
  public static int bind(
      DatabaseSession databaseSession, PreparedStatement statement, int first, Commit commit)
      throws SQLException {
    int position = first;
    statement.setString(position++, commit.space().value());
    statement.setLong(position++, commit.sequence());
    statement.setString(position++, commit.host().toString());
    statement.setLong(position++, commit.hostCounter());
    databaseSession.dialect().bind(statement, position++, ColumnType.INSTANT, commit.time());
    statement.setString(position++, encodeChanges(commit.changes()));
    return position;
  }

  public static List<Commit> read(
      DatabaseSession databaseSession, SpaceId space, long after, int limit) throws SQLException {
    PreparedStatement statement = databaseSession.statement(SELECT);
    statement.setString(1, space.value());
    statement.setLong(2, after);
    statement.setInt(3, limit);
    List<Commit> commits = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        int position = 1;
        long sequence = rows.getLong(position++);
        Id host = Id.parse(rows.getString(position++));
        long hostCounter = rows.getLong(position++);
        Instant time =
            (Instant)
                Objects.requireNonNull(
                    databaseSession.dialect().read(rows, position++, ColumnType.INSTANT));
        commits.add(
            new Commit(
                space, sequence, host, hostCounter, time, decodeChanges(rows.getString(position))));
      }
    }
    return commits;
  }

  private static String encodeChanges(List<RecordChange> changes) {
    ArrayNode array = Json.mapper().createArrayNode();
    for (RecordChange recordChange : changes) {
      array
          .addArray()
          .add(recordChange.table())
          .add(recordChange.key())
          .add(letter(recordChange.kind()));
    }
    return Json.text(array);
  }

  private static List<RecordChange> decodeChanges(String text) {
    List<RecordChange> changes = new ArrayList<>();
    for (JsonNode change : Json.read(text, ArrayNode.class)) {
      changes.add(
          new RecordChange(
              change.get(0).asString(), change.get(1).asString(), kind(change.get(2).asString())));
    }
    return changes;
  }

  private static String letter(ChangeKind kind) {
    return kind.name().substring(0, 1);
  }

  private static ChangeKind kind(String letter) {
    for (ChangeKind kind : ChangeKind.values()) {
      if (letter(kind).equals(letter)) {
        return kind;
      }
    }
    throw StoreException.corrupt(
        "The change feed holds a change of the unknown kind '%s'".formatted(letter));
  }
}
