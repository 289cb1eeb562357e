package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;

final class MemoryVectorTest extends VectorContract {
  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  /** Here the index is rebuilt and its vectors are pending, so nothing is compared yet. */
  @Override
  String whyNotComparedAfterAnotherModel() {
    return "";
  }
}
