package dev.caliber.lang.pack.manifest;

/**
 * A key of {@code cal.toml}.
 *
 * @param required whether a table must have it; there is no default
 * @param sentence its meaning
 */
record ManifestKey(String name, boolean required, ValueShape shape, String sentence) {
  static ManifestKey required(String name, ValueShape valueShape, String sentence) {
    return new ManifestKey(name, true, valueShape, sentence);
  }

  static ManifestKey optional(String name, ValueShape valueShape, String sentence) {
    return new ManifestKey(name, false, valueShape, sentence);
  }
}
