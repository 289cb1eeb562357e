package dev.caliber.lang.pack;

/** Checks that the prompts of agents are files of the pack. */
final class AgentFiles implements PackCheck {
  @Override
  public void run(PackDocument packDocument, PackDiagnostics packDiagnostics) {
    packDocument
        .section(Manifest.AGENTS)
        .values()
        .forEach(
            agent ->
                FileReferences.requireFile(
                    agent.table(), "prompt_md", packDocument, packDiagnostics));
  }
}
