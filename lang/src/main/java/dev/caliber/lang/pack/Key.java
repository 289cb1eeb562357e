package dev.caliber.lang.pack;

/**
 * A key of {@code cal.toml}.
 *
 * @param required whether a table has to have it; there is no default
 * @param sentence what it means
 */
record Key(String name, boolean required, Shape shape, String sentence) {
  static Key required(String name, Shape shape, String sentence) {
    return new Key(name, true, shape, sentence);
  }

  static Key optional(String name, Shape shape, String sentence) {
    return new Key(name, false, shape, sentence);
  }
}
