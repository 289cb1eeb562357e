package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresModelTest extends ModelContract {
  private final StoreConfig.Postgres engine = Engines.postgres();

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
