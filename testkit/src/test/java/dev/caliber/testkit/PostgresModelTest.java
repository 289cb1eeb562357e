package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresModelTest extends RandomWriteContract {
  private final StoreConfig.PostgresSettings engine = TestEngines.postgres();

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
