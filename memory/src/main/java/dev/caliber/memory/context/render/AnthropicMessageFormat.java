package dev.caliber.memory.context.render;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages in the format of Anthropic's API: the first one is the user's, tool results are a user
 * message directly after the call, and the only roles are user and assistant.
 */
final class AnthropicMessageFormat implements ProviderMessageFormat {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String USER = "user";
  private static final String EARLIER = "[earlier messages are left out]";

  @Override
  public void appendTurn(
      ArrayNode messages, TurnMessage turnMessage, List<TurnPart.ToolResultPart> results) {
    if (!turnMessage.isEmpty()) {
      add(
          messages,
          turnMessage.role() == TurnRole.ASSISTANT ? "assistant" : USER,
          blocks(turnMessage));
    }
    if (!results.isEmpty()) {
      ArrayNode blocks = NODES.arrayNode();
      results.forEach(result -> blocks.add(result(result)));
      add(messages, USER, blocks);
    }
  }

  private static void add(ArrayNode messages, String role, ArrayNode blocks) {
    messages.add(message(role, blocks));
  }

  private static ObjectNode message(String role, ArrayNode blocks) {
    ObjectNode message = NODES.objectNode().put("role", role);
    message.set("content", blocks);
    return message;
  }

  private static ArrayNode blocks(TurnMessage turnMessage) {
    ArrayNode blocks = NODES.arrayNode();
    for (TurnPart turnPart : turnMessage.parts()) {
      blocks.add(block(turnMessage.role(), turnPart));
    }
    return blocks;
  }

  private static ObjectNode block(TurnRole turnRole, TurnPart turnPart) {
    return switch (turnPart) {
      case TurnPart.TextPart(var text) ->
          text(turnRole == TurnRole.SYSTEM ? "[system] " + text : text);
      case TurnPart.ToolCallPart(var call, var tool, var arguments) -> {
        ObjectNode use =
            NODES.objectNode().put("type", "tool_use").put("id", call).put("name", tool);
        use.set("input", argumentsObject(arguments));
        yield use;
      }
      case TurnPart.ToolResultPart result -> result(result);
      case TurnPart.DataPart dataPart -> text(BinaryDataLabels.labelOf(dataPart));
    };
  }

  private static ObjectNode text(String text) {
    return NODES.objectNode().put("type", "text").put("text", text);
  }

  private static ObjectNode result(TurnPart.ToolResultPart result) {
    ObjectNode node =
        NODES
            .objectNode()
            .put("type", "tool_result")
            .put("tool_use_id", result.call())
            .put("content", result.content());
    return result.failed() ? node.put("is_error", true) : node;
  }

  /** Returns the arguments as an object; arguments that are no JSON object are wrapped verbatim. */
  private static JsonNode argumentsObject(String arguments) {
    try {
      JsonNode read = Json.mapper().readTree(arguments);
      return read.isObject() ? read : NODES.objectNode().put("arguments", arguments);
    } catch (JacksonException _) {
      return NODES.objectNode().put("arguments", arguments);
    }
  }

  /** Inserts a user message at the front if the first message is not the user's. */
  private static ArrayNode userFirst(ArrayNode messages) {
    boolean begun = messages.isEmpty() || messages.get(0).get("role").asString().equals(USER);
    return begun
        ? messages
        : NODES
            .arrayNode()
            .add(message(USER, NODES.arrayNode().add(text(EARLIER))))
            .addAll(messages);
  }

  @Override
  public String toJson(String system, ArrayNode messages) {
    ObjectNode all = NODES.objectNode();
    if (!system.isEmpty()) {
      all.put("system", system);
    }
    all.set("messages", userFirst(messages));
    return Json.text(all);
  }
}
