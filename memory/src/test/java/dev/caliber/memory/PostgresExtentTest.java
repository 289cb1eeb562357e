package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresExtentTest extends ExtentContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresExtentTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
