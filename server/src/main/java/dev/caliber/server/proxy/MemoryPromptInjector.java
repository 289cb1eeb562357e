package dev.caliber.server.proxy;

import dev.caliber.kernel.Json;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A function that adds a window of memory to a request, as one system message after the program's
 * own. Of the conversation, it adds only turns that the request does not contain.
 */
final class MemoryPromptInjector {
  private static final Set<String> INSTRUCTING = Set.of("system", "developer");

  private MemoryPromptInjector() {}

  static ObjectNode addMemory(ObjectNode request, String window, String introduction) {
    JsonNode messages = request.path("messages");
    String memory = memoryText(Json.mapper().readTree(window), messages);
    ObjectNode whole = request.deepCopy();
    if (!memory.isBlank()) {
      whole.set("messages", insertMemory(messages, introduction + "\n\n" + memory));
    }
    return whole;
  }

  private static ArrayNode insertMemory(JsonNode messages, String memory) {
    int first =
        IntStream.range(0, messages.size())
            .filter(i -> !INSTRUCTING.contains(role(messages.get(i))))
            .findFirst()
            .orElse(messages.size());
    ArrayNode all = Json.mapper().createArrayNode();
    messages.forEach(all::add);
    all.insertObject(first).put("role", "system").put("content", memory);
    return all;
  }

  private static String role(JsonNode message) {
    return message.path("role").asString("");
  }

  private static String memoryText(JsonNode window, JsonNode messages) {
    Set<String> carried = hashes(messages).collect(Collectors.toSet());
    String known =
        window
            .valueStream()
            .filter(message -> role(message).equals("system"))
            .map(message -> message.path("content").asString(""))
            .collect(Collectors.joining("\n"));
    String earlier =
        window
            .valueStream()
            .filter(message -> !role(message).equals("system"))
            .filter(message -> hashes(message).noneMatch(carried::contains))
            .map(MemoryPromptInjector::turnText)
            .collect(Collectors.joining());
    return earlier.isEmpty() ? known : "%s\n<earlier>\n%s</earlier>".formatted(known, earlier);
  }

  private static Stream<String> hashes(JsonNode message) {
    return message.isArray()
        ? message.valueStream().flatMap(MemoryPromptInjector::hashes)
        : ChatMessage.of(message, 0).map(ChatMessage::contentHash).stream();
  }

  private static String turnText(JsonNode message) {
    return ChatMessage.of(message, 0)
        .map(
            earlier ->
                earlier.parts().stream()
                    .map(turnPart -> escapeXml(turnPart.searchableText()))
                    .collect(Collectors.joining("\n")))
        .map(words -> "<turn role=\"%s\">%s</turn>\n".formatted(role(message), words))
        .orElse("");
  }

  private static String escapeXml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
