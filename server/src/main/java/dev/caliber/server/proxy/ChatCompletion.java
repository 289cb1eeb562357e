package dev.caliber.server.proxy;

import dev.caliber.kernel.Json;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The first choice of a model's answer, collected whole or chunk by chunk. */
final class ChatCompletion {
  private final StringBuilder content = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final SortedMap<Integer, PartialToolCall> calls = new TreeMap<>();
  private Optional<Integer> tokens = Optional.empty();
  private boolean finished;

  private static final class PartialToolCall {
    private String id = "";
    private final StringBuilder name = new StringBuilder();
    private final StringBuilder arguments = new StringBuilder();
  }

  /** Returns the completion of a complete answer. */
  static ChatCompletion ofResponse(JsonNode answer) {
    ChatCompletion chatCompletion = new ChatCompletion();
    chatCompletion.addChoice(answer, "message");
    chatCompletion.finished = true;
    return chatCompletion;
  }

  /** Adds a chunk of a stream. */
  void addChunk(JsonNode chunk) {
    addChoice(chunk, "delta");
  }

  private void addChoice(JsonNode answer, String part) {
    JsonNode usage = answer.path("usage").path("completion_tokens");
    if (usage.canConvertToInt()) {
      tokens = Optional.of(usage.asInt());
    }
    answer
        .path("choices")
        .valueStream()
        .filter(choice -> choice.path("index").asInt(0) == 0)
        .forEach(choice -> addDelta(choice.path(part), choice.path("finish_reason")));
  }

  private void addDelta(JsonNode delta, JsonNode reason) {
    content.append(delta.path("content").asString(""));
    refusal.append(delta.path("refusal").asString(""));
    int position = 0;
    for (JsonNode call : delta.path("tool_calls")) {
      addToolCall(
          calls.computeIfAbsent(call.path("index").asInt(position), _ -> new PartialToolCall()),
          call);
      position++;
    }
    finished |= reason.isString();
  }

  private static void addToolCall(PartialToolCall partialToolCall, JsonNode delta) {
    partialToolCall.id = delta.path("id").asString(partialToolCall.id);
    partialToolCall.name.append(delta.path("function").path("name").asString(""));
    partialToolCall.arguments.append(delta.path("function").path("arguments").asString(""));
  }

  /** Returns whether the model has sent a finish reason. */
  boolean isFinished() {
    return finished;
  }

  Optional<Integer> tokens() {
    return tokens;
  }

  boolean isEmpty() {
    return content.isEmpty() && refusal.isEmpty() && calls.isEmpty();
  }

  /** Returns the message as a client sends it back in its history. */
  ObjectNode assistantMessage() {
    ObjectNode message = Json.mapper().createObjectNode().put("role", "assistant");
    message.put("content", content.toString());
    if (!refusal.isEmpty()) {
      message.put("refusal", refusal.toString());
    }
    calls.values().stream()
        .filter(partialToolCall -> !partialToolCall.name.isEmpty())
        .forEach(
            partialToolCall -> {
              ObjectNode node = message.withArray("tool_calls").addObject();
              node.put("id", partialToolCall.id).put("type", "function");
              node.putObject("function")
                  .put("name", partialToolCall.name.toString())
                  .put("arguments", partialToolCall.arguments.toString());
            });
    return message;
  }
}
