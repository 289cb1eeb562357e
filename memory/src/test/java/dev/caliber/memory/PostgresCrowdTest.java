package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresCrowdTest extends CrowdContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresCrowdTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
