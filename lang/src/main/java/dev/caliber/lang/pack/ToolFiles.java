package dev.caliber.lang.pack;

import java.util.List;

/** Checks that the programs, prompts and contracts of tools are files of the pack. */
final class ToolFiles implements PackCheck {
  private static final List<String> KEYS = List.of("cmd", "prompt_md", "contract");

  @Override
  public void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    for (var tool : packDocument.section(Manifest.TOOLS).values()) {
      KEYS.forEach(
          key -> FileReferences.requireFile(tool.table(), key, packDocument, packDiagnostics));
    }
  }
}
