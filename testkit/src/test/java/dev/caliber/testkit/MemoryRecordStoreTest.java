package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryRecordStoreTest extends RecordStoreContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
