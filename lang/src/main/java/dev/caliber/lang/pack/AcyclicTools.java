package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.prompt.Part;
import dev.caliber.lang.prompt.Prompt;
import dev.caliber.lang.syntax.Text;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Prompt tools do not call each other in a circle. */
final class AcyclicTools implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var calls = calls(document);
    var circular = circular(calls);
    for (String id : circular) {
      var entry = document.section(Manifest.TOOLS).get(id.substring(Manifest.TOOLS.length() + 1));
      findings
          .inManifest()
          .report(
              DiagnosticCode.TOOL_CYCLE,
              entry == null ? document.root().span() : entry.name().span(),
              "tool " + Wording.quote(id) + " calls itself, by way of " + Wording.list(circular),
              "take one of the calls out of the prompts");
    }
  }

  private static Map<String, List<String>> calls(Document document) {
    var calls = new TreeMap<String, List<String>>();
    document
        .section(Manifest.TOOLS)
        .forEach((id, tool) -> calls.put(Manifest.TOOLS + "." + id, calls(tool, document)));
    return calls;
  }

  private static List<String> calls(Table.Entry tool, Document document) {
    return tool
        .table()
        .text("prompt_md")
        .map(Text::value)
        .flatMap(path -> Optional.ofNullable(document.prompts().tools().get(path)))
        .map(Prompt::toolCalls)
        .orElse(List.of())
        .stream()
        .map(Part.ToolCall::toolId)
        .distinct()
        .toList();
  }

  /** What stays when those are taken away again and again that call none or are called by none. */
  private static List<String> circular(Map<String, List<String>> calls) {
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
