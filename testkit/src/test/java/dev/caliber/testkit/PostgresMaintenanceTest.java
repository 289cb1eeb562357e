package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresMaintenanceTest extends MaintenanceContract {
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
}
