package dev.caliber.lang;

import java.nio.file.Path;
import java.util.Objects;

/** The complete example of the language's specification. */
final class Example {
  private Example() {}

  static String source() {
    return GoldenCase.text(
        Path.of(Objects.requireNonNull(System.getProperty("caliber.root")))
            .resolve("lang/src/test/resources/example.caliber"));
  }
}
