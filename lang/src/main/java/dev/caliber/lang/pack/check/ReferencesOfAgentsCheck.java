package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;

/** Checks that an agent's profile, adapter and toolsets are defined. */
final class ReferencesOfAgentsCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var referenceDiagnostics = new ReferenceDiagnostics(parsedPack, packDiagnostics);
    for (var agent : parsedPack.section(Manifest.AGENTS).values()) {
      var manifestTable = agent.table();
      manifestTable
          .text("profile")
          .ifPresent(
              profile -> referenceDiagnostics.requireKnown(Manifest.PROFILES, "profile", profile));
      manifestTable
          .text("adapter")
          .ifPresent(
              adapter -> referenceDiagnostics.requireKnown(Manifest.ADAPTERS, "adapter", adapter));
      manifestTable
          .texts("toolsets")
          .forEach(
              toolset -> referenceDiagnostics.requireKnown(Manifest.TOOLSETS, "toolset", toolset));
    }
  }
}
