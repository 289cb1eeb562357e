package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;

/** Checks that the prompts of agents are files of the pack. */
final class AgentFileCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    parsedPack
        .section(Manifest.AGENTS)
        .values()
        .forEach(
            agent ->
                PackFileChecks.requireFile(
                    agent.table(), "prompt_md", parsedPack, packDiagnostics));
  }
}
