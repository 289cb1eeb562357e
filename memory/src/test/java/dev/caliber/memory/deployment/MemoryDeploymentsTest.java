package dev.caliber.memory.deployment;

import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;

final class MemoryDeploymentsTest extends DeploymentsContract {

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  /** Returns the same store, because one in memory is lost when it is closed. */
  @Override
  protected RecordStore reopened(RecordStore store) {
    return store;
  }
}
