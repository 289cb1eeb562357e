package dev.caliber.models;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.spi.Passage;
import java.util.List;
import java.util.Map;

/** Input of a chat model, and its answer. */
final class Said {
  private Said() {}

  static Passage passage(int number, String text) {
    return new Passage(Id.derivedFrom("test", Integer.toString(number)), "user", text);
  }

  static String completion(String content) {
    return Json.text(
        Map.of(
            "choices",
            List.of(Map.of("message", Map.of("role", "assistant", "content", content)))));
  }
}
