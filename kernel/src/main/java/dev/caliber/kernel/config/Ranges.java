package dev.caliber.kernel.config;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.KernelException;
import java.time.Duration;

/** Checks of the numbers of a configuration. */
final class Ranges {
  private Ranges() {}

  static void requireAtLeast(String what, int least, int found) {
    if (found < least) {
      throw KernelException.invalidValue(what, least + " or more", Integer.toString(found));
    }
  }

  static void requirePositive(String what, Duration found) {
    if (!found.isPositive()) {
      throw KernelException.invalidValue(what, "a positive duration", found.toString());
    }
  }

  static void requireUpTo(String what, Duration most, Duration found) {
    requirePositive(what, found);
    if (found.compareTo(most) > 0) {
      throw KernelException.invalidValue(
          what, "at most " + Durations.format(most), found.toString());
    }
  }

  static void requireShare(String what, double found) {
    if (!(found >= 0 && found <= 1)) {
      throw KernelException.invalidValue(what, "a number from 0 to 1", Double.toString(found));
    }
  }
}
