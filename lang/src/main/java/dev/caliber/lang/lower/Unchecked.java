package dev.caliber.lang.lower;

/** What must not happen to a tree that was checked. */
final class Unchecked {
  private Unchecked() {}

  static IllegalStateException missing(String what) {
    return new IllegalStateException("wanted a checked tree, found one without " + what);
  }
}
