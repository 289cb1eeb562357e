package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;

final class MemoryManyWindowsTest extends ManyWindowsContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
