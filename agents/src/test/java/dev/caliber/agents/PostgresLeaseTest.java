package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresLeaseTest extends LeaseContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresLeaseTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
