package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The text of an answer for a model; the full JSON is sent beside it, for programs. */
final class ToolAnswerText {
  private ToolAnswerText() {}

  static String render(String tool, JsonNode answer) {
    return switch (tool) {
      case "recall" -> renderHits(answer);
      case "assemble_context" -> answer.path("text").asString("");
      case "create_entities", "create_relations", "add_observations" ->
          prettyJson(answer.valueStream().findFirst().orElse(answer));
      case "delete_entities", "delete_observations", "delete_relations" ->
          answer.path("message").asString("");
      case "read_graph", "search_nodes", "open_nodes" -> prettyJson(answer);
      default -> Json.text(answer);
    };
  }

  private static String renderHits(JsonNode answer) {
    StringBuilder text = new StringBuilder();
    for (JsonNode hit : answer.path("hits")) {
      text.append("- ").append(hit.path("text").asString(""));
      text.append(" [").append(hit.path("kind").asString("").toLowerCase(Locale.ROOT));
      text.append(' ').append(hit.path("id").asString("")).append("]\n");
    }
    int omitted = answer.path("omitted").asInt(0);
    if (omitted > 0) {
      text.append(omitted).append(" more hits did not fit into max_tokens.\n");
    }
    return text.isEmpty() ? "Nothing was found." : text.toString().stripTrailing();
  }

  private static String prettyJson(JsonNode value) {
    return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
  }
}
