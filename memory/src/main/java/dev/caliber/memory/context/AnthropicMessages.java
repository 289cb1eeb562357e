package dev.caliber.memory.context;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages as Anthropic's API takes them: the first is the user's, results are a user's message
 * right behind the call, and there is no role but user and assistant.
 */
final class AnthropicMessages implements MessageShape {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String USER = "user";
  private static final String EARLIER = "[earlier messages are left out]";

  @Override
  public void append(ArrayNode messages, Said said, List<Part.ToolResult> results) {
    if (!said.isEmpty()) {
      add(messages, said.role() == Role.ASSISTANT ? "assistant" : USER, blocks(said));
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

  private static ArrayNode blocks(Said said) {
    ArrayNode blocks = NODES.arrayNode();
    for (Part part : said.parts()) {
      blocks.add(block(said.role(), part));
    }
    return blocks;
  }

  private static ObjectNode block(Role role, Part part) {
    return switch (part) {
      case Part.Text(var text) -> text(role == Role.SYSTEM ? "[system] " + text : text);
      case Part.ToolCall(var call, var tool, var arguments) -> {
        ObjectNode use =
            NODES.objectNode().put("type", "tool_use").put("id", call).put("name", tool);
        use.set("input", input(arguments));
        yield use;
      }
      case Part.ToolResult result -> result(result);
      case Part.Data data -> text(DataNames.of(data));
    };
  }

  private static ObjectNode text(String text) {
    return NODES.objectNode().put("type", "text").put("text", text);
  }

  private static ObjectNode result(Part.ToolResult result) {
    ObjectNode node =
        NODES
            .objectNode()
            .put("type", "tool_result")
            .put("tool_use_id", result.call())
            .put("content", result.content());
    return result.failed() ? node.put("is_error", true) : node;
  }

  /** The arguments as an object; what the model wrote verbatim where they are none. */
  private static JsonNode input(String arguments) {
    try {
      JsonNode read = Json.mapper().readTree(arguments);
      return read.isObject() ? read : NODES.objectNode().put("arguments", arguments);
    } catch (JacksonException _) {
      return NODES.objectNode().put("arguments", arguments);
    }
  }

  /** The user begins, whatever was left out before. */
  private static ArrayNode beginning(ArrayNode messages) {
    boolean begun = messages.isEmpty() || messages.get(0).get("role").asString().equals(USER);
    return begun
        ? messages
        : NODES
            .arrayNode()
            .add(message(USER, NODES.arrayNode().add(text(EARLIER))))
            .addAll(messages);
  }

  @Override
  public String whole(String system, ArrayNode messages) {
    ObjectNode all = NODES.objectNode();
    if (!system.isEmpty()) {
      all.put("system", system);
    }
    all.set("messages", beginning(messages));
    return Json.text(all);
  }
}
