package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemoryForgetTest extends ForgetContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  @Override
  String raw() {
    return everything().toString();
  }
}
