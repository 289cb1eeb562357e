package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemoryLedgerTest extends LedgerContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
