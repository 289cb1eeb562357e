package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;

final class MemoryFeedTest extends FeedContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }
}
