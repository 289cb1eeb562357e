package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresVectorTest extends VectorContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresVectorTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
