package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresForgetBatchesTest extends ForgetBatchesContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresForgetBatchesTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
