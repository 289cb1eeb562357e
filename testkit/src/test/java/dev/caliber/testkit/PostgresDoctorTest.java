package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Finding;
import dev.caliber.store.FindingCode;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("postgres")
final class PostgresDoctorTest extends DoctorContract {
  private final StoreConfig.Postgres engine = Engines.postgres();

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }

  @Override
  protected StoreConfig.EngineConfig otherPlace() {
    return Engines.postgres();
  }

  @Override
  protected void raw(String sql) {
    RawSql.postgres(engine, sql);
  }

  @Test
  void findsADroppedPolicy() {
    RecordStore store = filled();
    raw("DROP POLICY one_space ON animal");
    found(store, FindingCode.ISOLATION_BROKEN, "row security");
    store.close();
    assertThat(examine(open(ANIMALS, PICTURES)).findings()).isEmpty();
  }

  @Test
  void findsAPolicyThatLetsEverythingThrough() {
    RecordStore store = filled();
    raw("ALTER POLICY one_space ON animal USING (true)");
    found(store, FindingCode.ISOLATION_BROKEN, "row security");
  }

  @Test
  void findsRowSecurityThatIsOff() {
    RecordStore store = filled();
    raw("ALTER TABLE animal NO FORCE ROW LEVEL SECURITY");
    raw("ALTER TABLE store_feed DISABLE ROW LEVEL SECURITY");
    assertThat(examine(store).findings())
        .hasSize(2)
        .extracting(Finding::code)
        .containsOnly(FindingCode.ISOLATION_BROKEN);
  }

  @Test
  void findsARoleThatMayDoTooMuch() {
    RecordStore store = filled();
    raw("ALTER ROLE %s_space BYPASSRLS".formatted(engine.schema()));
    found(store, FindingCode.ISOLATION_BROKEN, "row security");
  }

  @Test
  void findsAnIndexThatIsNotValid() {
    RecordStore store = filled();
    raw("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'animal_by_name'::regclass");
    found(store, FindingCode.INDEX_MISSING, "animal_by_name");
  }

  @Test
  void leavesNoExtensionBehind() {
    RecordStore store = filled();
    assertThat(examine(store).findings()).isEmpty();
    raw("CREATE EXTENSION amcheck");
    try {
      assertThat(examine(store).findings()).isEmpty();
    } finally {
      raw("DROP EXTENSION amcheck");
    }
  }

  @Test
  void findsUnsafeSettingsOfTheServer() {
    try (PostgresServer server = PostgresServer.start()) {
      StoreConfig.Postgres place = Engines.postgres(server.url());
      RecordStore store = open(config -> config.withEngine(place), ANIMALS, PICTURES);
      RawSql.postgres(place, "ALTER SYSTEM SET full_page_writes = off");
      RawSql.postgres(place, "ALTER SYSTEM SET fsync = off");
      store.close();
      server.down(PostgresServer.Stop.FAST);
      server.up();
      RecordStore again = open(config -> config.withEngine(place), ANIMALS, PICTURES);
      assertThat(examine(again).findings())
          .hasSize(2)
          .allMatch(finding -> finding.code() == FindingCode.SETTING_UNSAFE);
      again.close();
    }
  }
}
