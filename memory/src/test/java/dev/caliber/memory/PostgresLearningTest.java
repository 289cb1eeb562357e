package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresLearningTest extends LearningContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresLearningTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
