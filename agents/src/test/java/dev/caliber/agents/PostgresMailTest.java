package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresMailTest extends MailContract {
  private final StoreConfig.PostgresSettings engine = TestEngines.postgres(PostgresMailTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
