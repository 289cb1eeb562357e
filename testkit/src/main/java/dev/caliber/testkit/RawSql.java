package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

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
