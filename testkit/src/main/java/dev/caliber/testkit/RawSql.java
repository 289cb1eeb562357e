package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Plain SQL around a store, for inflicting damage. */
public final class RawSql {

  private RawSql() {}

  public static void sqlite(Path file, String... statements) {
    run("jdbc:sqlite:" + file, statements);
  }

  /** As the login user, in the store's schema. */
  public static void postgres(StoreConfig.Postgres place, String sql) {
    run(place.url(), "SET search_path = " + place.schema(), sql);
  }

  /** Every row as its values in words, of a store that is closed or on a server. */
  public static List<List<String>> rows(StoreConfig.EngineConfig place, String sql) {
    return switch (place) {
      case StoreConfig.Sqlite sqlite ->
          rows("jdbc:sqlite:" + sqlite.directory().resolve("caliber.db"), "SELECT 1", sql);
      case StoreConfig.Postgres postgres ->
          rows(postgres.url(), "SET search_path = " + postgres.schema(), sql);
      case StoreConfig.InMemory _ -> throw new IllegalArgumentException("It is gone");
    };
  }

  private static List<List<String>> rows(String url, String first, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(first);
      List<List<String>> rows = new ArrayList<>();
      try (ResultSet found = statement.executeQuery(sql)) {
        while (found.next()) {
          rows.add(row(found));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> row(ResultSet found) throws SQLException {
    List<String> row = new ArrayList<>();
    for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
      row.add(String.valueOf(found.getString(i)));
    }
    return row;
  }

  private static void run(String url, String... statements) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
