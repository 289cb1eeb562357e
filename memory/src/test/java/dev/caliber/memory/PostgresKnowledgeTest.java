package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresKnowledgeTest extends KnowledgeContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresKnowledgeTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
