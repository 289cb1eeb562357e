package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryConcurrencyTest extends ConcurrencyContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
