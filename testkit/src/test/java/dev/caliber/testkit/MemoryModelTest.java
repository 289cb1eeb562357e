package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryModelTest extends RandomWriteContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
