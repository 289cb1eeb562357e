package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresExplainTest extends ExplainContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresExplainTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
