package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.prompt.Part;
import dev.caliber.lang.syntax.Text;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** A prompt calls tools that the agent's toolsets have. */
final class GrantedTools implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    for (var agent : document.section(Manifest.AGENTS).values()) {
      var granted = new LinkedHashSet<>(document.tools(document.toolsets(agent.table())));
      String path = agent.table().text("prompt_md").map(Text::value).orElse("");
      Optional.ofNullable(document.prompts().agents().get(path))
          .filter(_ -> isComplete(agent.table(), document))
          .ifPresent(
              prompt ->
                  prompt.toolCalls().stream()
                      .filter(call -> isRegistered(call, document))
                      .filter(call -> !granted.contains(call.toolId()))
                      .forEach(call -> report(call, agent, granted, path, findings)));
    }
  }

  /** A toolset that is not there was complained of, and may have the tool. */
  private static boolean isComplete(Table agent, Document document) {
    return agent.has("toolsets")
        && !document.isLost(Manifest.TOOLSETS)
        && document.toolsets(agent).size() == agent.texts("toolsets").size();
  }

  private static boolean isRegistered(Part.ToolCall call, Document document) {
    return document
        .section(Manifest.TOOLS)
        .containsKey(call.toolId().substring(Manifest.TOOLS.length() + 1));
  }

  private static void report(
      Part.ToolCall call, Table.Entry agent, Set<String> granted, String path, Findings findings) {
    findings
        .in(path)
        .report(
            DiagnosticCode.TOOL_NOT_GRANTED,
            call.tool().span(),
            "no toolset of agent "
                + Wording.quote(agent.name().value())
                + " has "
                + Wording.quote(call.toolId()),
            () -> Wording.suggest("tool it has", call.toolId(), granted));
  }
}
