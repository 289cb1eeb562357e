package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresImportTest extends ImportContract {
  private final StoreConfig.PostgresSettings engine = TestEngines.postgres();

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }

  @Override
  protected StoreConfig.EngineSettings otherEngine() {
    return TestEngines.postgres();
  }

  @Override
  protected void executeRawSql(String sql) {
    RawSql.executePostgres(engine, sql);
  }
}
