package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresUpkeepTest extends UpkeepContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresUpkeepTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
