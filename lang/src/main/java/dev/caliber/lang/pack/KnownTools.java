package dev.caliber.lang.pack;

/** Toolsets list tools that are registered. */
final class KnownTools implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var referring = new Referring(document, findings);
    document.section(Manifest.TOOLSETS).values().stream()
        .flatMap(toolset -> toolset.table().texts("tools").stream())
        .forEach(tool -> referring.require(Manifest.TOOLS, "tool", tool));
  }
}
