package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.lang.prompt.Prompt;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Turns registered tools into their records. */
final class ToolLowering {
  private final Document document;

  ToolLowering(Document document) {
    this.document = document;
  }

  List<PackTool> lower() {
    return document.section(Manifest.TOOLS).entrySet().stream()
        .map(tool -> lower(Manifest.TOOLS + "." + tool.getKey(), tool.getValue().table()))
        .toList();
  }

  private PackTool lower(String id, Table table) {
    var kind = PackLowering.have(table.word("kind", PackTool.Kind.class));
    String file = PackLowering.text(table, kind == PackTool.Kind.EXEC ? "cmd" : "prompt_md");
    var prompt = Optional.ofNullable(document.prompts().tools().get(file));
    return new PackTool(
        id,
        kind,
        file,
        PackLowering.value(table, "description"),
        table.number("timeout_ms").map(number -> number.value().longValueExact()),
        table.word("result_format", PackTool.ResultFormat.class),
        capabilities(table),
        input(kind == PackTool.Kind.EXEC ? List.of() : inputs(prompt)),
        PackLowering.value(table, "contract").map(this::contract),
        prompt.filter(_ -> kind == PackTool.Kind.PROMPT).map(PromptLowering::lower));
  }

  private static List<String> inputs(Optional<Prompt> prompt) {
    return prompt.map(Prompt::inputs).orElse(List.of());
  }

  private static PackTool.Capabilities capabilities(Table table) {
    return new PackTool.Capabilities(
        table.is("allow_network"), table.is("allow_fs"), table.is("allow_subprocess"));
  }

  /** An object, which has to have all inputs of a prompt. */
  private static JsonNode input(List<String> inputs) {
    var schema = Json.mapper().createObjectNode().put("type", "object");
    if (!inputs.isEmpty()) {
      var properties = schema.putObject("properties");
      var required = schema.putArray("required");
      inputs.forEach(name -> properties.putObject(name).put("type", "string"));
      inputs.forEach(required::add);
    }
    return schema;
  }

  private JsonNode contract(String path) {
    return Json.mapper().readTree(document.source().text(path).orElseThrow());
  }
}
