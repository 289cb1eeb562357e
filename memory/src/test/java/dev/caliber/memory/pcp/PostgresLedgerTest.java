package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresLedgerTest extends LedgerContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresLedgerTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
