package dev.caliber.server.proxy;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Turn;
import dev.caliber.server.operation.ServerException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A message of OpenAI's chat completions, as memory keeps it. */
record ChatMessage(Role role, List<Part> parts) {
  private static final String OTHER_CONTENT = "application/vnd.openai.content+json";
  private static final String LEFT_OUT = "application/vnd.caliber.left-out+json";

  ChatMessage {
    parts = List.copyOf(parts);
  }

  /** Nothing for instructions, which are no part of what was said, and where nothing was said. */
  static Optional<ChatMessage> of(JsonNode message, int position) {
    return role(message, position)
        .map(role -> new ChatMessage(role, parts(role, message)))
        .filter(said -> !said.parts.isEmpty());
  }

  private static Optional<Role> role(JsonNode message, int position) {
    return switch (message.path("role").asString("")) {
      case "user" -> Optional.of(Role.USER);
      case "assistant" -> Optional.of(Role.ASSISTANT);
      case "tool", "function" -> Optional.of(Role.TOOL);
      case "system", "developer" -> Optional.empty();
      default ->
          throw ServerException.invalidInput(
              "/messages/%d/role".formatted(position),
              "Wanted one of system, developer, user, assistant, tool, found another");
    };
  }

  private static List<Part> parts(Role role, JsonNode message) {
    if (role == Role.TOOL) {
      return List.of(result(message));
    }
    List<Part> parts = new ArrayList<>(content(message.path("content")));
    text(message.path("refusal")).ifPresent(parts::add);
    message.path("tool_calls").forEach(call -> parts.add(call(call)));
    if (message.path("function_call").isObject()) {
      parts.add(function(message.path("function_call"), ""));
    }
    return parts;
  }

  private static Part result(JsonNode message) {
    String words =
        String.join("\n", content(message.path("content")).stream().map(Part::words).toList());
    String call = message.path("tool_call_id").asString(message.path("name").asString(""));
    return call.isBlank() ? Part.text(words) : new Part.ToolResult(call, words, false);
  }

  private static List<Part> content(JsonNode content) {
    return content.isArray()
        ? content.valueStream().flatMap(ChatMessage::piece).toList()
        : text(content).stream().toList();
  }

  /** Pictures and the like are kept as they came. */
  private static Stream<Part> piece(JsonNode piece) {
    return switch (piece.path("type").asString("")) {
      case "text" -> text(piece.path("text")).stream();
      case "refusal" -> text(piece.path("refusal")).stream();
      default -> Stream.of(new Part.Data(OTHER_CONTENT, Bytes.of(Json.bytes(piece))));
    };
  }

  private static Optional<Part> text(JsonNode node) {
    return Optional.of(node.asString("")).filter(words -> !words.isBlank()).map(Part::text);
  }

  private static Part call(JsonNode call) {
    return function(call.path("function"), call.path("id").asString(""));
  }

  /** Some models name no call; then its tool does. */
  private static Part function(JsonNode function, String id) {
    String tool = function.path("name").asString("");
    return new Part.ToolCall(
        id.isBlank() ? tool : id, tool, function.path("arguments").asString(""));
  }

  /**
   * The same in at most so many bytes, as far as that can be: of pictures and the like the largest
   * are named by what they were, and not kept.
   */
  ChatMessage within(long most) {
    return within(most, ChatMessage::isOtherContent);
  }

  /**
   * The same for a message that a client only repeats. What a model has said at too great length is
   * named like a picture: it cannot be said more shortly, and the chat goes on.
   */
  ChatMessage repeatedWithin(long most) {
    return within(most, part -> role == Role.ASSISTANT || isOtherContent(part));
  }

  private ChatMessage within(long most, Predicate<Part> canGo) {
    long size = parts.stream().mapToLong(Part::size).sum();
    List<Part> fitting = new ArrayList<>(parts);
    for (int place : largestFirst(canGo)) {
      if (size <= most) {
        break;
      }
      Part kept = fitting.get(place);
      Part instead = leftOut(kept);
      if (instead.size() < kept.size()) {
        fitting.set(place, instead);
        size += instead.size() - kept.size();
      }
    }
    return new ChatMessage(role, fitting);
  }

  private List<Integer> largestFirst(Predicate<Part> wanted) {
    return IntStream.range(0, parts.size())
        .boxed()
        .filter(place -> wanted.test(parts.get(place)))
        .sorted(Comparator.comparingLong(place -> -parts.get(place).size()))
        .toList();
  }

  private static boolean isOtherContent(Part part) {
    return part instanceof Part.Data data && data.mediaType().equals(OTHER_CONTENT);
  }

  /** What a piece was that is not kept. */
  private record LeftOut(String type, long bytes, String sha256) {}

  private static Part leftOut(Part part) {
    return switch (part) {
      case Part.Data(_, var content) ->
          leftOut(Json.mapper().readTree(content.toArray()).path("type").asString(""), content);
      case Part.Text(var words) -> leftOut("text", bytes(words));
      case Part.ToolCall call -> leftOut("tool_call", bytes(call.words()));
      case Part.ToolResult result -> leftOut("tool_result", bytes(result.words()));
    };
  }

  private static Bytes bytes(String words) {
    return Bytes.of(words.getBytes(StandardCharsets.UTF_8));
  }

  private static Part leftOut(String type, Bytes content) {
    LeftOut instead = new LeftOut(type, content.size(), content.hash());
    return new Part.Data(LEFT_OUT, Bytes.of(Json.bytes(instead)));
  }

  /** The same for the same words by the same speaker; ids of calls are left out. */
  String hash() {
    return hash(role, parts);
  }

  static String hash(Turn turn) {
    return hash(turn.role(), turn.parts());
  }

  private static String hash(Role role, List<Part> parts) {
    String words =
        parts.stream()
            .map(part -> part instanceof Part.Data(_, var content) ? content.hash() : part.words())
            .collect(Collectors.joining("\n"));
    return Hashing.hash("chat-message", role.name(), words.strip());
  }
}
