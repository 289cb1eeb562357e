package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.Diagnostics;

/** A rule about configurations. */
interface ConfigCheck {
  void run(SemanticModel semanticModel, Diagnostics diagnostics);
}
