package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresValidationTest extends ValidationContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresValidationTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
