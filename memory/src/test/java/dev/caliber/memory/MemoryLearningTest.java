package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;

final class MemoryLearningTest extends LearningContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
