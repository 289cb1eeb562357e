package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemorySummaryTest extends SummaryContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
