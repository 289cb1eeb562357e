package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresMailTest extends MailContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresMailTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
