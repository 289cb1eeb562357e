package dev.caliber.lang.pack;

/** An agent's profile, adapter and toolsets are defined. */
final class AgentReferences implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var referring = new Referring(document, findings);
    for (var agent : document.section(Manifest.AGENTS).values()) {
      var table = agent.table();
      table
          .text("profile")
          .ifPresent(profile -> referring.require(Manifest.PROFILES, "profile", profile));
      table
          .text("adapter")
          .ifPresent(adapter -> referring.require(Manifest.ADAPTERS, "adapter", adapter));
      table
          .texts("toolsets")
          .forEach(toolset -> referring.require(Manifest.TOOLSETS, "toolset", toolset));
    }
  }
}
