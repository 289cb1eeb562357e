package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemorySearchTroubleTest extends SearchTroubleContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
