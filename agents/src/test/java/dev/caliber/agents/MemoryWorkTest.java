package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemoryWorkTest extends WorkContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
