package dev.caliber.lang.pack;

/** A rule about packs. */
interface PackCheck {
  void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics);
}
