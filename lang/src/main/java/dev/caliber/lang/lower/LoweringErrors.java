package dev.caliber.lang.lower;

/** Errors for trees that were not checked. */
final class LoweringErrors {
  private LoweringErrors() {}

  static IllegalStateException missingField(String what) {
    return new IllegalStateException("expected a checked tree, found one without " + what);
  }
}
