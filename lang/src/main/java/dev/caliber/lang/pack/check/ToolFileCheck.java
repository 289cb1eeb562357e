package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.List;

/** Checks that the programs, prompts and contracts of tools are files of the pack. */
final class ToolFileCheck implements PackCheck {
  private static final List<String> KEYS = List.of("cmd", "prompt_md", "contract");

  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    for (var tool : parsedPack.section(Manifest.TOOLS).values()) {
      KEYS.forEach(
          key -> PackFileChecks.requireFile(tool.table(), key, parsedPack, packDiagnostics));
    }
  }
}
