package dev.caliber.kernel.config;

import dev.caliber.kernel.KernelException;

/** What numbers of a configuration have to be. */
final class Ranges {
  private Ranges() {}

  static void requireAtLeast(String what, int least, int found) {
    if (found < least) {
      throw KernelException.invalidValue(what, least + " or more", Integer.toString(found));
    }
  }

  static void requireShare(String what, double found) {
    if (!(found >= 0 && found <= 1)) {
      throw KernelException.invalidValue(what, "a number from 0 to 1", Double.toString(found));
    }
  }
}
