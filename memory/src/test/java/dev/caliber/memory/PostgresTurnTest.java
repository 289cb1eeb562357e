package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresTurnTest extends TurnContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresTurnTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
