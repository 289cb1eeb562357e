package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemoryAccessTest extends AccessContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
