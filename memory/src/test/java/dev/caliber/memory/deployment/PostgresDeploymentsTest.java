package dev.caliber.memory.deployment;

import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("postgres")
final class PostgresDeploymentsTest extends DeploymentsContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresDeploymentsTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }

  @Test
  @DisplayName("PACK-30: an activation by one process takes effect in another shortly after")
  void anotherProcessFollows() throws Exception {
    RecordStore reading = openStore();
    RecordStore writing = openStore();
    readersSeeOldOrNew(reading, writing);
  }
}
