package dev.caliber.memory;

import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;

@EachEngine(EngineKind.MEMORY)
final class MemoryForgetTest extends ForgetContract {
  @Override
  String raw() {
    return everything().toString();
  }
}
