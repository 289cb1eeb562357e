package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.view.ForgetContract;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.maintenance.Maintenance;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@EachEngine(value = EngineKind.POSTGRES, schemaPerTest = true)
final class PostgresForgetTest extends ForgetContract {
  private static final Pattern BYTES = Pattern.compile("\\\\x([0-9a-f]+)");

  private StoreConfig.PostgresSettings place() {
    return (StoreConfig.PostgresSettings) engine();
  }

  @Test
  @DisplayName("the files of the tables contain forgotten text until they are rewritten")
  void compactLeavesNoBytesInTheFiles() throws SQLException {
    try (Connection connection = DriverManager.getConnection(place().url());
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        statement.execute(
            "ALTER TABLE \"%s\".\"%s\" SET (autovacuum_enabled = false)"
                .formatted(place().schema(), table));
      }
      Scope scope = scopeOf(start());
      say(scope, "The word is swordfish.");
      learn("The store goes on.");
      assertThat(memory.forget(SPACE, ForgetRecords.of(scope.trajectory())).purged()).isFalse();
      assertThat(files(statement)).contains("swordfish", "The store goes on.");
      Maintenance.of(store).compact(ProgressListener.NONE);
      assertThat(files(statement)).doesNotContain("swordfish").contains("The store goes on.");
    }
  }

  /** Returns the files of all tables as PostgreSQL has written them. */
  private String files(Statement statement) throws SQLException {
    statement.execute("CHECKPOINT");
    StringBuilder files = new StringBuilder();
    for (String table : tables(statement)) {
      texts(
              statement,
              "SELECT encode(pg_read_binary_file(pg_relation_filepath('\"%s\".\"%s\"')), 'hex')"
                  .formatted(place().schema(), table))
          .forEach(hex -> files.append(text(hex)));
    }
    return files.toString();
  }

  /** Returns every row of every table as text, with bytes read as text too. */
  @Override
  public String raw() {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(place().url());
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        String place = "\"%s\".\"%s\"".formatted(place().schema(), table);
        rows.addAll(texts(statement, "SELECT r::text FROM %s r".formatted(place)));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return BYTES
        .matcher(rows.toString())
        .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(text(found.group(1))));
  }

  private List<String> tables(Statement statement) throws SQLException {
    return texts(
        statement,
        "SELECT tablename FROM pg_tables WHERE schemaname = '%s'".formatted(place().schema()));
  }

  private static List<String> texts(Statement statement, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  private static String text(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
  }
}
