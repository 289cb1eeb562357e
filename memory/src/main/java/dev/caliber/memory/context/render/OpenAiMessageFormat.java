package dev.caliber.memory.context.render;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Messages in the format of OpenAI's chat completions. */
final class OpenAiMessageFormat implements ProviderMessageFormat {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Override
  public void appendTurn(
      ArrayNode messages, TurnMessage turnMessage, List<TurnPart.ToolResultPart> results) {
    if (!turnMessage.isEmpty()) {
      messages.add(turnMessage(turnMessage));
    }
    results.forEach(
        result ->
            messages.add(message("tool", result.content()).put("tool_call_id", result.call())));
  }

  private static ObjectNode turnMessage(TurnMessage turnMessage) {
    String words =
        turnMessage.parts().stream()
            .filter(turnPart -> !(turnPart instanceof TurnPart.ToolCallPart))
            .map(
                turnPart ->
                    turnPart instanceof TurnPart.DataPart dataPart
                        ? BinaryDataLabels.labelOf(dataPart)
                        : turnPart.searchableText())
            .collect(Collectors.joining("\n"));
    ObjectNode message = message(role(turnMessage.role()), words);
    ArrayNode calls = NODES.arrayNode();
    turnMessage.parts().forEach(turnPart -> appendCall(turnPart, calls));
    if (!calls.isEmpty()) {
      message.set("tool_calls", calls);
    }
    return message;
  }

  /**
   * Returns user for a tool's turn: a tool message must be a result, and other text of a tool is
   * external.
   */
  private static String role(TurnRole turnRole) {
    return turnRole == TurnRole.TOOL ? "user" : turnRole.name().toLowerCase(Locale.ROOT);
  }

  private static void appendCall(TurnPart turnPart, ArrayNode calls) {
    if (turnPart instanceof TurnPart.ToolCallPart(var call, var tool, var arguments)) {
      ObjectNode function = NODES.objectNode().put("name", tool).put("arguments", arguments);
      ObjectNode node = NODES.objectNode().put("id", call).put("type", "function");
      node.set("function", function);
      calls.add(node);
    }
  }

  static ObjectNode message(String role, String content) {
    return NODES.objectNode().put("role", role).put("content", content);
  }

  @Override
  public String toJson(String system, ArrayNode messages) {
    ArrayNode all = NODES.arrayNode();
    if (!system.isEmpty()) {
      all.add(message("system", system));
    }
    return Json.text(all.addAll(messages));
  }
}
