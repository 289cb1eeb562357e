package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresLinksTest extends LinkScoreContract {
  private final StoreConfig.PostgresSettings engine = TestEngines.postgres(PostgresLinksTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
