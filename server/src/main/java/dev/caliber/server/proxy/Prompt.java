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
 * A request with what memory has to say to it: one more system message, behind the program's own.
 * Of the window it holds what is known, and of the conversation what the request itself does not
 * carry.
 */
final class Prompt {
  private static final Set<String> INSTRUCTING = Set.of("system", "developer");

  private Prompt() {}

  static ObjectNode of(ObjectNode request, String window, String introduction) {
    JsonNode messages = request.path("messages");
    String memory = memory(Json.mapper().readTree(window), messages);
    ObjectNode whole = request.deepCopy();
    if (!memory.isBlank()) {
      whole.set("messages", with(messages, introduction + "\n\n" + memory));
    }
    return whole;
  }

  private static ArrayNode with(JsonNode messages, String memory) {
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

  private static String memory(JsonNode window, JsonNode messages) {
    Set<String> carried = hashes(messages).collect(Collectors.toSet());
    String known =
        window
            .valueStream()
            .filter(message -> role(message).equals("system"))
            .map(message -> message.path("content").asString(""))
            .collect(Collectors.joining("\n"));
    String said =
        window
            .valueStream()
            .filter(message -> !role(message).equals("system"))
            .filter(message -> hashes(message).noneMatch(carried::contains))
            .map(Prompt::turn)
            .collect(Collectors.joining());
    return said.isEmpty() ? known : "%s\n<earlier>\n%s</earlier>".formatted(known, said);
  }

  private static Stream<String> hashes(JsonNode message) {
    return message.isArray()
        ? message.valueStream().flatMap(Prompt::hashes)
        : ChatMessage.of(message, 0).map(ChatMessage::hash).stream();
  }

  private static String turn(JsonNode message) {
    return ChatMessage.of(message, 0)
        .map(
            said ->
                said.parts().stream()
                    .map(part -> escaped(part.words()))
                    .collect(Collectors.joining("\n")))
        .map(words -> "<turn role=\"%s\">%s</turn>\n".formatted(role(message), words))
        .orElse("");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
