package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresLedgerTest extends LedgerContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresLedgerTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
