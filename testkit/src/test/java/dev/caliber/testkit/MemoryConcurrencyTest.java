package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryConcurrencyTest extends ConcurrencyContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
