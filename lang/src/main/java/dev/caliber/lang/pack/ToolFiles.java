package dev.caliber.lang.pack;

import java.util.List;

/** The programs, prompts and contracts of tools are files of the pack. */
final class ToolFiles implements PackCheck {
  private static final List<String> KEYS = List.of("cmd", "prompt_md", "contract");

  @Override
  public void run(Document document, Findings findings) {
    for (var tool : document.section(Manifest.TOOLS).values()) {
      KEYS.forEach(key -> PackFiles.require(tool.table(), key, document, findings));
    }
  }
}
