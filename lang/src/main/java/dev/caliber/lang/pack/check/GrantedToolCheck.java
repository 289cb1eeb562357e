package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.prompt.SectionPart;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Checks that a prompt calls only tools of the agent's toolsets. */
final class GrantedToolCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    for (var agent : parsedPack.section(Manifest.AGENTS).values()) {
      var granted = new LinkedHashSet<>(parsedPack.tools(parsedPack.toolsets(agent.table())));
      String path = agent.table().text("prompt_md").map(TextNode::value).orElse("");
      Optional.ofNullable(parsedPack.prompts().agents().get(path))
          .filter(_ -> isComplete(agent.table(), parsedPack))
          .ifPresent(
              parsedPrompt ->
                  parsedPrompt.toolCalls().stream()
                      .filter(call -> isRegistered(call, parsedPack))
                      .filter(call -> !granted.contains(call.toolId()))
                      .forEach(call -> report(call, agent, granted, path, packDiagnostics)));
    }
  }

  /** Returns whether all toolsets of the agent exist; a missing one is reported elsewhere. */
  private static boolean isComplete(ManifestTable agent, ParsedPack parsedPack) {
    return agent.has("toolsets")
        && !parsedPack.isDamaged(Manifest.TOOLSETS)
        && parsedPack.toolsets(agent).size() == agent.texts("toolsets").size();
  }

  private static boolean isRegistered(SectionPart.PromptToolCall call, ParsedPack parsedPack) {
    return parsedPack
        .section(Manifest.TOOLS)
        .containsKey(call.toolId().substring(Manifest.TOOLS.length() + 1));
  }

  private static void report(
      SectionPart.PromptToolCall call,
      ManifestTable.NamedTable agent,
      Set<String> granted,
      String path,
      PackDiagnostics packDiagnostics) {
    packDiagnostics
        .inFile(path)
        .report(
            DiagnosticCode.TOOL_NOT_GRANTED,
            call.tool().span(),
            "no toolset of agent "
                + DiagnosticText.quote(agent.name().value())
                + " has "
                + DiagnosticText.quote(call.toolId()),
            () -> DiagnosticText.suggest("tool it has", call.toolId(), granted));
  }
}
