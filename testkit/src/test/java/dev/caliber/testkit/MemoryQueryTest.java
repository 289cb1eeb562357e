package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryQueryTest extends QueryContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
