package dev.caliber.lang;

/** The complete example of the language's specification. */
final class Example {
  private Example() {}

  static String source() {
    return GoldenFiles.text(GoldenFiles.resource("example.caliber"));
  }
}
