package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.maintenance.DoctorFinding;
import dev.caliber.store.maintenance.DoctorFindingCode;
import org.junit.jupiter.api.Test;

@EachEngine(value = EngineKind.POSTGRES, schemaPerTest = true)
final class PostgresDoctorTest extends DoctorContract {
  @Test
  void findsADroppedPolicy() {
    RecordStore store = filledStore();
    executeRawSql("DROP POLICY one_space ON animal");
    assertSingleFinding(store, DoctorFindingCode.ROW_SECURITY_INSUFFICIENT, "row security");
    store.close();
    assertThat(examine(open(ANIMALS, PICTURES)).findings()).isEmpty();
  }

  @Test
  void findsAPolicyThatLetsEverythingThrough() {
    RecordStore store = filledStore();
    executeRawSql("ALTER POLICY one_space ON animal USING (true)");
    assertSingleFinding(store, DoctorFindingCode.ROW_SECURITY_INSUFFICIENT, "row security");
  }

  @Test
  void findsRowSecurityThatIsOff() {
    RecordStore store = filledStore();
    executeRawSql("ALTER TABLE animal NO FORCE ROW LEVEL SECURITY");
    executeRawSql("ALTER TABLE store_feed DISABLE ROW LEVEL SECURITY");
    assertThat(examine(store).findings())
        .hasSize(2)
        .extracting(DoctorFinding::code)
        .containsOnly(DoctorFindingCode.ROW_SECURITY_INSUFFICIENT);
  }

  @Test
  void findsARoleThatMayDoTooMuch() {
    RecordStore store = filledStore();
    executeRawSql(
        "ALTER ROLE %s_space BYPASSRLS"
            .formatted(((StoreConfig.PostgresSettings) engine()).schema()));
    assertSingleFinding(store, DoctorFindingCode.ROW_SECURITY_INSUFFICIENT, "row security");
  }

  @Test
  void findsAnIndexThatIsNotValid() {
    RecordStore store = filledStore();
    executeRawSql(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'animal_by_name'::regclass");
    assertSingleFinding(store, DoctorFindingCode.INDEX_MISSING, "animal_by_name");
  }

  @Test
  void leavesNoExtensionBehind() {
    RecordStore store = filledStore();
    assertThat(examine(store).findings()).isEmpty();
    executeRawSql("CREATE EXTENSION amcheck");
    try {
      assertThat(examine(store).findings()).isEmpty();
    } finally {
      executeRawSql("DROP EXTENSION amcheck");
    }
  }

  @Test
  void findsUnsafeSettingsOfTheServer() {
    try (PostgresServer server = PostgresServer.start()) {
      StoreConfig.PostgresSettings place = TestEngines.postgres(server.url());
      RecordStore store = open(config -> config.withEngine(place), ANIMALS, PICTURES);
      RawSql.executePostgres(place, "ALTER SYSTEM SET full_page_writes = off");
      RawSql.executePostgres(place, "ALTER SYSTEM SET fsync = off");
      store.close();
      server.shutDown(PostgresServer.ShutdownMode.FAST);
      server.bringUp();
      RecordStore again = open(config -> config.withEngine(place), ANIMALS, PICTURES);
      assertThat(examine(again).findings())
          .hasSize(2)
          .allMatch(doctorFinding -> doctorFinding.code() == DoctorFindingCode.UNSAFE_SETTING);
      again.close();
    }
  }
}
