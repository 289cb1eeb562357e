package dev.caliber.models;

import dev.caliber.kernel.Json;
import java.util.List;
import java.util.Map;

/** How a server is asked for one answer of a chat model, as JSON of a given shape. */
enum ChatProtocol {
  /** {@code POST /chat/completions} of OpenAI, Mistral, vLLM, llama.cpp, LM Studio and others. */
  OPENAI("/chat/completions") {
    @Override
    Map<String, Object> shape(Map<String, Object> schema) {
      return Map.of(
          "response_format",
          Map.of(
              "type",
              "json_schema",
              "json_schema",
              Map.of("name", "answer", "strict", true, "schema", schema)));
    }

    @Override
    String content(byte[] json) {
      Completion completion = Json.read(json, Completion.class);
      if (completion.choices().isEmpty()) {
        throw ModelsException.invalidResponse(text(), "wanted a choice, found none");
      }
      return completion.choices().getFirst().message().content();
    }
  },

  /** {@code POST /api/chat} of Ollama. */
  OLLAMA("/api/chat") {
    @Override
    Map<String, Object> shape(Map<String, Object> schema) {
      return Map.of("format", schema);
    }

    @Override
    String content(byte[] json) {
      return Json.read(json, Choice.class).message().content();
    }
  };

  private final String path;

  ChatProtocol(String path) {
    this.path = path;
  }

  private record Completion(List<Choice> choices) {}

  private record Choice(Message message) {}

  private record Message(String content) {}

  String path() {
    return path;
  }

  /** The name in settings and messages. */
  String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** What asks for this shape of an answer. */
  abstract Map<String, Object> shape(Map<String, Object> schema);

  /** What the model said. */
  abstract String content(byte[] json);
}
