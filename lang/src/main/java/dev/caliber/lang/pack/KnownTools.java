package dev.caliber.lang.pack;

/** Checks that toolsets list registered tools. */
final class KnownTools implements PackCheck {
  @Override
  public void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    var referenceDiagnostics = new ReferenceDiagnostics(packDocument, packDiagnostics);
    packDocument.section(Manifest.TOOLSETS).values().stream()
        .flatMap(toolset -> toolset.table().texts("tools").stream())
        .forEach(tool -> referenceDiagnostics.requireKnown(Manifest.TOOLS, "tool", tool));
  }
}
