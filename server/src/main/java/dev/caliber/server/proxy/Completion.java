package dev.caliber.server.proxy;

import dev.caliber.kernel.Json;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a model says, whole or piece by piece: the first choice of it. */
final class Completion {
  private final StringBuilder content = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final SortedMap<Integer, Call> calls = new TreeMap<>();
  private Optional<Integer> tokens = Optional.empty();
  private boolean finished;

  private static final class Call {
    private String id = "";
    private final StringBuilder name = new StringBuilder();
    private final StringBuilder arguments = new StringBuilder();
  }

  /** An answer in one piece. */
  static Completion whole(JsonNode answer) {
    Completion completion = new Completion();
    completion.add(answer, "message");
    completion.finished = true;
    return completion;
  }

  /** One more piece of a stream. */
  void add(JsonNode chunk) {
    add(chunk, "delta");
  }

  private void add(JsonNode answer, String part) {
    JsonNode usage = answer.path("usage").path("completion_tokens");
    if (usage.canConvertToInt()) {
      tokens = Optional.of(usage.asInt());
    }
    answer
        .path("choices")
        .valueStream()
        .filter(choice -> choice.path("index").asInt(0) == 0)
        .forEach(choice -> add(choice.path(part), choice.path("finish_reason")));
  }

  private void add(JsonNode said, JsonNode reason) {
    content.append(said.path("content").asString(""));
    refusal.append(said.path("refusal").asString(""));
    int position = 0;
    for (JsonNode call : said.path("tool_calls")) {
      add(calls.computeIfAbsent(call.path("index").asInt(position), _ -> new Call()), call);
      position++;
    }
    finished |= reason.isString();
  }

  private static void add(Call call, JsonNode said) {
    call.id = said.path("id").asString(call.id);
    call.name.append(said.path("function").path("name").asString(""));
    call.arguments.append(said.path("function").path("arguments").asString(""));
  }

  /** Whether the model has said why it ended. */
  boolean isFinished() {
    return finished;
  }

  Optional<Integer> tokens() {
    return tokens;
  }

  boolean isEmpty() {
    return content.isEmpty() && refusal.isEmpty() && calls.isEmpty();
  }

  /** As a client sends it back in its history. */
  ObjectNode message() {
    ObjectNode message = Json.mapper().createObjectNode().put("role", "assistant");
    message.put("content", content.toString());
    if (!refusal.isEmpty()) {
      message.put("refusal", refusal.toString());
    }
    calls.values().stream()
        .filter(call -> !call.name.isEmpty())
        .forEach(
            call -> {
              ObjectNode node = message.withArray("tool_calls").addObject();
              node.put("id", call.id).put("type", "function");
              node.putObject("function")
                  .put("name", call.name.toString())
                  .put("arguments", call.arguments.toString());
            });
    return message;
  }
}
