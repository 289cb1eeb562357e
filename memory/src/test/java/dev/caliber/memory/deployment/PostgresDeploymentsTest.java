package dev.caliber.memory.deployment;

import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("postgres")
final class PostgresDeploymentsTest extends DeploymentsContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresDeploymentsTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }

  @Test
  @DisplayName("PACK-30: what one process activates, another runs on a moment later")
  void anotherProcessFollows() throws Exception {
    RecordStore reading = openStore();
    RecordStore writing = openStore();
    readersSeeOldOrNew(reading, writing);
  }
}
