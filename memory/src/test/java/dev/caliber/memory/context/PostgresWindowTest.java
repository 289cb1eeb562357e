package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresWindowTest extends WindowContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresWindowTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
