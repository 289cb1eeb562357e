package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;

final class MemoryVectorTest extends VectorContract {
  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  /** There the index is made anew and waits for its vectors: nothing is compared yet. */
  @Override
  String whyNotComparedAfterAnotherModel() {
    return "";
  }
}
