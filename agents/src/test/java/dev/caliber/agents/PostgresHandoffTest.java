package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresHandoffTest extends HandoffContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresHandoffTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
