package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresWorkTest extends WorkContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresWorkTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
