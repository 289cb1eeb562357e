package dev.caliber.memory;

import dev.caliber.memory.view.ForgetContract;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;

@EachEngine(EngineKind.MEMORY)
final class MemoryForgetTest extends ForgetContract {
  @Override
  public String raw() {
    return everything().toString();
  }
}
