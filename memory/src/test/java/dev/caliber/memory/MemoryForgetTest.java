package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;

final class MemoryForgetTest extends ForgetContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  @Override
  String raw() {
    return everything().toString();
  }
}
