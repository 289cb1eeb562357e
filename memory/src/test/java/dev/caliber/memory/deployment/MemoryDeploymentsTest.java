package dev.caliber.memory.deployment;

import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemoryDeploymentsTest extends DeploymentsContract {

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  /** A store in memory is gone when it is closed. */
  @Override
  protected RecordStore reopened(RecordStore store) {
    return store;
  }
}
