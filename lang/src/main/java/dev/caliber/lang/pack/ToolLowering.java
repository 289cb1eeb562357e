package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.pack.manifest.ProfileSettingKey;
import dev.caliber.lang.prompt.ParsedPrompt;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Turns registered tools into their records. */
final class ToolLowering {
  private final ParsedPack parsedPack;

  ToolLowering(ParsedPack parsedPack) {
    this.parsedPack = parsedPack;
  }

  List<PackTool> lower() {
    return parsedPack.section(Manifest.TOOLS).entrySet().stream()
        .map(tool -> lower(Manifest.TOOLS + "." + tool.getKey(), tool.getValue().table()))
        .toList();
  }

  private PackTool lower(String id, ManifestTable manifestTable) {
    var toolKind =
        ProfileSettingKey.requirePresent(manifestTable.enumValue("kind", PackTool.ToolKind.class));
    String file =
        PackLowering.text(manifestTable, toolKind == PackTool.ToolKind.EXEC ? "cmd" : "prompt_md");
    var prompt = Optional.ofNullable(parsedPack.prompts().tools().get(file));
    return new PackTool(
        id,
        toolKind,
        file,
        PackLowering.value(manifestTable, "description"),
        manifestTable.number("timeout_ms").map(number -> number.value().longValueExact()),
        manifestTable.enumValue("result_format", PackTool.ResultFormat.class),
        capabilities(manifestTable),
        inputSchema(toolKind == PackTool.ToolKind.EXEC ? List.of() : inputs(prompt)),
        PackLowering.value(manifestTable, "contract").map(this::readContract),
        prompt.filter(_ -> toolKind == PackTool.ToolKind.PROMPT).map(PromptLowering::lower));
  }

  private static List<String> inputs(Optional<ParsedPrompt> prompt) {
    return prompt.map(ParsedPrompt::inputs).orElse(List.of());
  }

  private static PackTool.ToolCapabilities capabilities(ManifestTable manifestTable) {
    return new PackTool.ToolCapabilities(
        manifestTable.isTrue("allow_network"),
        manifestTable.isTrue("allow_fs"),
        manifestTable.isTrue("allow_subprocess"));
  }

  /** Returns the schema of an object that requires all inputs of a prompt. */
  private static JsonNode inputSchema(List<String> inputs) {
    var schema = Json.mapper().createObjectNode().put("type", "object");
    if (!inputs.isEmpty()) {
      var properties = schema.putObject("properties");
      var required = schema.putArray("required");
      inputs.forEach(name -> properties.putObject(name).put("type", "string"));
      inputs.forEach(required::add);
    }
    return schema;
  }

  private JsonNode readContract(String path) {
    return Json.mapper().readTree(parsedPack.source().text(path).orElseThrow());
  }
}
