package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresForgettingTest extends ForgettingContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresForgettingTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
