package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresIdleIndexTest extends IdleIndexContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresIdleIndexTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
