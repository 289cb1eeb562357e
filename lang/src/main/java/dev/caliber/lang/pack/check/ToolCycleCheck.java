package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.prompt.ParsedPrompt;
import dev.caliber.lang.prompt.SectionPart;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Checks that prompt tools do not call each other in a cycle. */
final class ToolCycleCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var calls = calls(parsedPack);
    var circular = findCycles(calls);
    for (String id : circular) {
      var namedTable =
          parsedPack.section(Manifest.TOOLS).get(id.substring(Manifest.TOOLS.length() + 1));
      packDiagnostics
          .inManifest()
          .report(
              DiagnosticCode.TOOL_CYCLE,
              namedTable == null ? parsedPack.root().span() : namedTable.name().span(),
              "tool "
                  + DiagnosticText.quote(id)
                  + " calls itself, through "
                  + DiagnosticText.list(circular),
              "remove one of the calls from the prompts");
    }
  }

  private static Map<String, List<String>> calls(ParsedPack parsedPack) {
    var calls = new TreeMap<String, List<String>>();
    parsedPack
        .section(Manifest.TOOLS)
        .forEach((id, tool) -> calls.put(Manifest.TOOLS + "." + id, calls(tool, parsedPack)));
    return calls;
  }

  private static List<String> calls(ManifestTable.NamedTable tool, ParsedPack parsedPack) {
    return tool
        .table()
        .text("prompt_md")
        .map(TextNode::value)
        .flatMap(path -> Optional.ofNullable(parsedPack.prompts().tools().get(path)))
        .map(ParsedPrompt::toolCalls)
        .orElse(List.of())
        .stream()
        .map(SectionPart.PromptToolCall::toolId)
        .distinct()
        .toList();
  }

  /** Returns the tools that remain when those without callers or calls are removed repeatedly. */
  private static List<String> findCycles(Map<String, List<String>> calls) {
    var left = new TreeMap<>(calls);
    boolean changed = true;
    while (changed) {
      Set<String> called = new HashSet<>();
      left.values().forEach(called::addAll);
      changed =
          left.entrySet()
              .removeIf(
                  tool ->
                      !called.contains(tool.getKey())
                          || tool.getValue().stream().noneMatch(left::containsKey));
    }
    return List.copyOf(left.keySet());
  }
}
