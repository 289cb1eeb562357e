package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresRetentionTest extends RetentionContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresRetentionTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
