package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;

/** A rule about packs. */
public interface PackCheck {
  void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics);
}
