package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
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
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresForgetTest extends ForgetContract {
  private static final Pattern BYTES = Pattern.compile("\\\\x([0-9a-f]+)");

  private final StoreConfig.Postgres engine = Engines.postgres(PostgresForgetTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }

  /** Every row of every table as text, with bytes read as text too. */
  @Override
  String raw() {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(engine.url());
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        String place = "\"%s\".\"%s\"".formatted(engine.schema(), table);
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
        "SELECT tablename FROM pg_tables WHERE schemaname = '%s'".formatted(engine.schema()));
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
