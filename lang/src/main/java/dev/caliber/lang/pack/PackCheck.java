package dev.caliber.lang.pack;

/** A rule about packs. */
interface PackCheck {
  void run(PackDocument packDocument, PackDiagnostics packDiagnostics);
}
