package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;

final class MemoryRecoveryTest extends RecoveryContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
