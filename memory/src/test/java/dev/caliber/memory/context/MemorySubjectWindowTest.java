package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;

final class MemorySubjectWindowTest extends SubjectWindowContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
