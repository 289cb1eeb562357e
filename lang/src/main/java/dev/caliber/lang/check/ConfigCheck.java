package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.Diagnostics;

/** A rule about configurations. */
interface ConfigCheck {
  void run(Program program, Diagnostics diagnostics);
}
