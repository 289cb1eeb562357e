package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemoryLifeTest extends LifeContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
