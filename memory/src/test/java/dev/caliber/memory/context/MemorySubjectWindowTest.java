package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemorySubjectWindowTest extends SubjectWindowContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
