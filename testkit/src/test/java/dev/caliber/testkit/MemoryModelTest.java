package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryModelTest extends ModelContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
