package dev.caliber.testkit;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Plain SQL beside a store, to damage it. */
public final class RawSql {

  private RawSql() {}

  public static void executeSqlite(Path file, String... statements) {
    execute("jdbc:sqlite:" + file, statements);
  }

  /** Executes SQL as the login user, in the store's schema. */
  public static void executePostgres(StoreConfig.PostgresSettings place, String sql) {
    execute(place.url(), "SET search_path = " + place.schema(), sql);
  }

  /**
   * Deletes all records and all spaces but the first, which begins a new epoch: an open store may
   * have cached records of the last one.
   */
  static void deleteRecords(StoreConfig.PostgresSettings place) {
    executePostgres(
        place,
        """
        DO $$ DECLARE found record; BEGIN
          SET LOCAL lock_timeout = '30s';
          FOR found IN SELECT tablename FROM pg_tables WHERE schemaname = '%1$s'
              AND tablename NOT IN ('store_table', 'store_meta', 'store_space') LOOP
            EXECUTE format('DELETE FROM %%I.%%I', '%1$s', found.tablename);
          END LOOP;
          IF to_regclass('store_space') IS NOT NULL THEN
            DELETE FROM store_space WHERE name <> '%2$s';
            UPDATE store_space SET epoch = epoch + 1, sequence = 0, host_counter = 0;
          END IF;
        END $$"""
            .formatted(place.schema(), SpaceId.DEFAULT.value()));
  }

  /** Returns the rows of a store that is closed or on a server, with their values as text. */
  public static List<List<String>> rows(StoreConfig.EngineSettings place, String sql) {
    return switch (place) {
      case StoreConfig.SqliteSettings sqliteSettings ->
          rows("jdbc:sqlite:" + sqliteSettings.directory().resolve("caliber.db"), "SELECT 1", sql);
      case StoreConfig.PostgresSettings postgresSettings ->
          rows(postgresSettings.url(), "SET search_path = " + postgresSettings.schema(), sql);
      case StoreConfig.InMemorySettings _ -> throw new IllegalArgumentException("It is gone");
    };
  }

  private static List<List<String>> rows(String url, String first, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(first);
      List<List<String>> rows = new ArrayList<>();
      try (ResultSet found = statement.executeQuery(sql)) {
        while (found.next()) {
          rows.add(readRow(found));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> readRow(ResultSet found) throws SQLException {
    List<String> row = new ArrayList<>();
    for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
      row.add(String.valueOf(found.getString(i)));
    }
    return row;
  }

  private static void execute(String url, String... statements) {
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
