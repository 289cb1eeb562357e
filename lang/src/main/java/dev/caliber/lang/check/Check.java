package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.Diagnostics;

/** One rule. */
interface Check {
  void run(Program program, Diagnostics diagnostics);
}
