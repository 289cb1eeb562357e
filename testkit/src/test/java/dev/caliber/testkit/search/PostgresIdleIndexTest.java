package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresIdleIndexTest extends IdleIndexContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresIdleIndexTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
