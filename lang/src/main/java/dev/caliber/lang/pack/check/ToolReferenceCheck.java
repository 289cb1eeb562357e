package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;

/** Checks that toolsets list registered tools. */
final class ToolReferenceCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var referenceDiagnostics = new ReferenceDiagnostics(parsedPack, packDiagnostics);
    parsedPack.section(Manifest.TOOLSETS).values().stream()
        .flatMap(toolset -> toolset.table().texts("tools").stream())
        .forEach(tool -> referenceDiagnostics.requireKnown(Manifest.TOOLS, "tool", tool));
  }
}
