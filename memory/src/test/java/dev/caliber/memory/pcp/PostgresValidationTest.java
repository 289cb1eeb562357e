package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresValidationTest extends ValidationContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresValidationTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
