package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryJobsTest extends JobsContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
