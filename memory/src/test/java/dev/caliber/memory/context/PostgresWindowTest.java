package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresWindowTest extends WindowContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresWindowTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
