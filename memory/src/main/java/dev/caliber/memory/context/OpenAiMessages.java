package dev.caliber.memory.context;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Messages as OpenAI's chat completions take them. */
final class OpenAiMessages implements MessageShape {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Override
  public void append(ArrayNode messages, Said said, List<Part.ToolResult> results) {
    if (!said.isEmpty()) {
      messages.add(message(said));
    }
    results.forEach(
        result ->
            messages.add(message("tool", result.content()).put("tool_call_id", result.call())));
  }

  private static ObjectNode message(Said said) {
    String words =
        said.parts().stream()
            .filter(part -> !(part instanceof Part.ToolCall))
            .map(part -> part instanceof Part.Data data ? DataNames.of(data) : part.words())
            .collect(Collectors.joining("\n"));
    ObjectNode message = message(role(said.role()), words);
    ArrayNode calls = NODES.arrayNode();
    said.parts().forEach(part -> call(part, calls));
    if (!calls.isEmpty()) {
      message.set("tool_calls", calls);
    }
    return message;
  }

  /** A tool's message is its result; whatever else it says comes from outside. */
  private static String role(Role role) {
    return role == Role.TOOL ? "user" : role.name().toLowerCase(Locale.ROOT);
  }

  private static void call(Part part, ArrayNode calls) {
    if (part instanceof Part.ToolCall(var call, var tool, var arguments)) {
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
  public String whole(String system, ArrayNode messages) {
    ArrayNode all = NODES.arrayNode();
    if (!system.isEmpty()) {
      all.add(message("system", system));
    }
    return Json.text(all.addAll(messages));
  }
}
