package dev.caliber.server.proxy;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
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

/** A message of OpenAI's chat completions in memory's form. */
record ChatMessage(TurnRole role, List<TurnPart> parts) {
  private static final String OTHER_CONTENT = "application/vnd.openai.content+json";
  private static final String LEFT_OUT = "application/vnd.caliber.omitted+json";

  ChatMessage {
    parts = List.copyOf(parts);
  }

  /** Converts a message; returns nothing for instructions and for empty messages. */
  static Optional<ChatMessage> of(JsonNode message, int position) {
    return parseRole(message, position)
        .map(turnRole -> new ChatMessage(turnRole, parseParts(turnRole, message)))
        .filter(converted -> !converted.parts.isEmpty());
  }

  private static Optional<TurnRole> parseRole(JsonNode message, int position) {
    return switch (message.path("role").asString("")) {
      case "user" -> Optional.of(TurnRole.USER);
      case "assistant" -> Optional.of(TurnRole.ASSISTANT);
      case "tool", "function" -> Optional.of(TurnRole.TOOL);
      case "system", "developer" -> Optional.empty();
      default ->
          throw ServerException.invalidInput(
              "/messages/%d/role".formatted(position),
              "Expected one of system, developer, user, assistant, tool");
    };
  }

  private static List<TurnPart> parseParts(TurnRole turnRole, JsonNode message) {
    if (turnRole == TurnRole.TOOL) {
      return List.of(toolResultPart(message));
    }
    List<TurnPart> parts = new ArrayList<>(contentParts(message.path("content")));
    textPart(message.path("refusal")).ifPresent(parts::add);
    message.path("tool_calls").forEach(call -> parts.add(toolCallPart(call)));
    if (message.path("function_call").isObject()) {
      parts.add(functionCallPart(message.path("function_call"), ""));
    }
    return parts;
  }

  private static TurnPart toolResultPart(JsonNode message) {
    String words =
        String.join(
            "\n",
            contentParts(message.path("content")).stream().map(TurnPart::searchableText).toList());
    String call = message.path("tool_call_id").asString(message.path("name").asString(""));
    return call.isBlank() ? TurnPart.text(words) : new TurnPart.ToolResultPart(call, words, false);
  }

  private static List<TurnPart> contentParts(JsonNode content) {
    return content.isArray()
        ? content.valueStream().flatMap(ChatMessage::contentPart).toList()
        : textPart(content).stream().toList();
  }

  /** Converts a content part; images and other media are stored as received. */
  private static Stream<TurnPart> contentPart(JsonNode piece) {
    return switch (piece.path("type").asString("")) {
      case "text" -> textPart(piece.path("text")).stream();
      case "refusal" -> textPart(piece.path("refusal")).stream();
      default -> Stream.of(new TurnPart.DataPart(OTHER_CONTENT, Bytes.of(Json.bytes(piece))));
    };
  }

  private static Optional<TurnPart> textPart(JsonNode node) {
    return Optional.of(node.asString("")).filter(words -> !words.isBlank()).map(TurnPart::text);
  }

  private static TurnPart toolCallPart(JsonNode call) {
    return functionCallPart(call.path("function"), call.path("id").asString(""));
  }

  /** Converts a call of the older function API; without an id, the tool's name is the id. */
  private static TurnPart functionCallPart(JsonNode function, String id) {
    String tool = function.path("name").asString("");
    return new TurnPart.ToolCallPart(
        id.isBlank() ? tool : id, tool, function.path("arguments").asString(""));
  }

  /**
   * Returns this message in at most {@code most} bytes, if possible: the largest media parts are
   * replaced by a note about them.
   */
  ChatMessage shrinkTo(long most) {
    return fitInto(most, ChatMessage::isNonTextContent);
  }

  /**
   * Returns a message that a client repeats in at most {@code most} bytes. A model's text that is
   * too long is replaced by a note, too: the client cannot shorten it, and the chat must continue.
   */
  ChatMessage shrinkRepeatedTo(long most) {
    return fitInto(most, turnPart -> role == TurnRole.ASSISTANT || isNonTextContent(turnPart));
  }

  private ChatMessage fitInto(long most, Predicate<TurnPart> canGo) {
    long size = parts.stream().mapToLong(TurnPart::byteSize).sum();
    List<TurnPart> fitting = new ArrayList<>(parts);
    for (int place : largestFirst(canGo)) {
      if (size <= most) {
        break;
      }
      TurnPart part = fitting.get(place);
      TurnPart instead = omissionNote(part);
      if (instead.byteSize() < part.byteSize()) {
        fitting.set(place, instead);
        size += instead.byteSize() - part.byteSize();
      }
    }
    return new ChatMessage(role, fitting);
  }

  private List<Integer> largestFirst(Predicate<TurnPart> wanted) {
    return IntStream.range(0, parts.size())
        .boxed()
        .filter(place -> wanted.test(parts.get(place)))
        .sorted(Comparator.comparingLong(place -> -parts.get(place).byteSize()))
        .toList();
  }

  private static boolean isNonTextContent(TurnPart turnPart) {
    return turnPart instanceof TurnPart.DataPart dataPart
        && dataPart.mediaType().equals(OTHER_CONTENT);
  }

  /** A note about a content part that is not stored. */
  private record OmittedContent(String type, long bytes, String sha256) {}

  private static TurnPart omissionNote(TurnPart turnPart) {
    return switch (turnPart) {
      case TurnPart.DataPart(_, var content) ->
          omissionNote(
              Json.mapper().readTree(content.toArray()).path("type").asString(""), content);
      case TurnPart.TextPart(var words) -> omissionNote("text", toBytes(words));
      case TurnPart.ToolCallPart call -> omissionNote("tool_call", toBytes(call.searchableText()));
      case TurnPart.ToolResultPart result ->
          omissionNote("tool_result", toBytes(result.searchableText()));
    };
  }

  private static Bytes toBytes(String words) {
    return Bytes.of(words.getBytes(StandardCharsets.UTF_8));
  }

  private static TurnPart omissionNote(String type, Bytes content) {
    OmittedContent instead = new OmittedContent(type, content.size(), content.hash());
    return new TurnPart.DataPart(LEFT_OUT, Bytes.of(Json.bytes(instead)));
  }

  /**
   * Returns a hash that is equal for the same content by the same role; ids of calls are left out.
   */
  String contentHash() {
    return contentHash(role, parts);
  }

  static String contentHash(Turn turn) {
    return contentHash(turn.role(), turn.parts());
  }

  private static String contentHash(TurnRole turnRole, List<TurnPart> parts) {
    String words =
        parts.stream()
            .map(
                turnPart ->
                    turnPart instanceof TurnPart.DataPart(_, var content)
                        ? content.hash()
                        : turnPart.searchableText())
            .collect(Collectors.joining("\n"));
    return FieldHash.hash("chat-message", turnRole.name(), words.strip());
  }
}
