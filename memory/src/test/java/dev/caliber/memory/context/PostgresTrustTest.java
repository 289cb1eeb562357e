package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresTrustTest extends TrustContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresTrustTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
