package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.RecordStoreContract.assertRefused;
import static dev.caliber.testkit.RecordStoreContract.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Isolation of spaces by the server itself, even from statements without a condition on the space.
 */
@Tag("postgres")
final class PostgresIsolationTest extends StoreFixture {

  private static final List<String> TABLES =
      List.of("animal", "job", "store_feed", "store_follower", "store_space");

  private final StoreConfig.PostgresSettings engine = TestEngines.postgres();
  private RecordStore store;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }

  @BeforeEach
  void twoSpacesWithOneAnimalEach() {
    store = open(ANIMALS);
    store.createSpace(OTHER);
    put(store, Animal.of("mine", "x"));
    store.commit(
        OTHER,
        transaction -> {
          transaction.insert(ANIMALS, Animal.of("theirs", "x"));
        });
  }

  @Test
  void aStatementWithoutASpaceSeesItsOwnOnly() throws SQLException {
    try (Connection connection = worker("default")) {
      assertThat(count(connection, "SELECT count(*) FROM animal")).isEqualTo(1);
      assertThat(count(connection, "SELECT count(*) FROM store_feed")).isEqualTo(1);
      assertThat(count(connection, "SELECT count(*) FROM store_space")).isEqualTo(1);
      assertThat(count(connection, "SELECT count(*) FROM animal WHERE space = 'other'")).isZero();
    }
    try (Connection connection = worker("")) {
      assertThat(count(connection, "SELECT count(*) FROM animal")).isZero();
    }
  }

  @Test
  void noSessionWritesIntoAnotherSpace() throws SQLException {
    try (Connection connection = worker("default")) {
      assertThat(update(connection, "UPDATE animal SET name = 'stolen' WHERE key = 'theirs'"))
          .isZero();
      assertThat(update(connection, "DELETE FROM animal WHERE key = 'theirs'")).isZero();
      assertThatThrownBy(() -> update(connection, "UPDATE animal SET space = 'other'"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("row-level security");
    }
  }

  @Test
  void theProofFailsWhenThePolicyIsGone() throws SQLException {
    assertThat(isApart()).isTrue();
    asOwner("ALTER TABLE animal DISABLE ROW LEVEL SECURITY");
    assertThat(isApart()).isFalse();
    closeStores();
    open(ANIMALS);
    assertThat(isApart()).isTrue();
    asOwner("DROP POLICY one_space ON animal");
    asOwner("CREATE POLICY everybody ON animal USING (true)");
    assertThat(isApart()).isFalse();
  }

  private boolean isApart() throws SQLException {
    try (Connection connection = worker("default")) {
      return count(connection, "SELECT count(*) FROM animal") == 1;
    }
  }

  @Test
  void everyTableIsProtectedEvenFromItsOwner() throws SQLException {
    try (Connection connection = owner()) {
      for (String table : TABLES) {
        assertThat(
                count(
                    connection,
                    "SELECT count(*) FROM pg_class WHERE oid = '%s'::regclass AND relrowsecurity AND relforcerowsecurity"
                        .formatted(table)))
            .as(table)
            .isEqualTo(1);
      }
    }
  }

  @Test
  void refusesARoleThatWouldSeeEverything() throws SQLException {
    closeStores();
    asOwner("ALTER ROLE %s_space BYPASSRLS".formatted(engine.schema()));
    assertRefused(
        StoreErrorCode.ROW_SECURITY_INSUFFICIENT, () -> open(ANIMALS), "may bypass row security");
    asOwner("ALTER ROLE %s_space NOBYPASSRLS".formatted(engine.schema()));
    asOwner("ALTER TABLE animal OWNER TO %s_space".formatted(engine.schema()));
    assertRefused(StoreErrorCode.ROW_SECURITY_INSUFFICIENT, () -> open(ANIMALS), "owns a table");
  }

  @Test
  @DisplayName("STO-35: each table carries its description, in the catalogue and in the server")
  void tablesAreDescribed() throws SQLException {
    try (Connection connection = owner()) {
      assertThat(text(connection, "SELECT obj_description('animal'::regclass)"))
          .isEqualTo(ANIMALS.description());
      assertThat(text(connection, "SELECT description FROM debug_tables WHERE name = 'animal'"))
          .isEqualTo(ANIMALS.description());
    }
  }

  @Test
  @DisplayName("STO-20: no statement of the hot path scans a whole table")
  void nothingIsScanned() throws SQLException {
    open(HotPathWorkload.tables());
    closeStores();
    long whenLaidOut = scansOfWholeTables();
    new HotPathWorkload(open(HotPathWorkload.tables())).run(HotPathWorkload.EVERY_KIND * 20);
    closeStores();
    assertThat(scansOfWholeTables()).isEqualTo(whenLaidOut);
  }

  /**
   * Returns the number of whole-table scans, including those that built indexes. Sessions report
   * when they end.
   */
  private long scansOfWholeTables() throws SQLException {
    try (Connection connection = owner()) {
      return count(
          connection,
          """
          SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE schemaname = current_schema()
          AND relname IN ('animal', 'sighting', 'store_feed', 'store_follower')""");
    }
  }

  /** Opens a session like the store's own, in one space. */
  private Connection worker(String space) throws SQLException {
    Connection connection = owner();
    update(connection, "SET ROLE %s_space".formatted(engine.schema()));
    update(connection, "SET caliber.space = '%s'".formatted(space));
    return connection;
  }

  private Connection owner() throws SQLException {
    Connection connection = DriverManager.getConnection(engine.url());
    update(connection, "SET search_path = " + engine.schema());
    return connection;
  }

  private void asOwner(String sql) throws SQLException {
    try (Connection connection = owner()) {
      update(connection, sql);
    }
  }

  private static int update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private static long count(Connection connection, String sql) throws SQLException {
    return Long.parseLong(text(connection, sql));
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
