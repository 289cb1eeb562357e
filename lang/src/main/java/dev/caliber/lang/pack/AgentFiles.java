package dev.caliber.lang.pack;

/** The prompts of agents are files of the pack. */
final class AgentFiles implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    document
        .section(Manifest.AGENTS)
        .values()
        .forEach(agent -> PackFiles.require(agent.table(), "prompt_md", document, findings));
  }
}
