package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryFeedTest extends FeedContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }
}
