package dev.caliber.models;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.settings.ProviderNames;
import java.util.List;
import java.util.Map;

/** Protocol of a server for one answer of a chat model, as JSON of a given shape. */
@ProviderNames
public enum ChatProtocol {
  /** {@code POST /chat/completions} of OpenAI, Mistral, vLLM, llama.cpp, LM Studio and others. */
  OPENAI("/chat/completions") {
    @Override
    Map<String, Object> responseFormat(Map<String, Object> schema) {
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
      ChatApiCompletion chatApiCompletion = Json.read(json, ChatApiCompletion.class);
      if (chatApiCompletion.choices().isEmpty()) {
        throw ModelsException.invalidResponse(
            text(), "the answer contains no text: expected an entry in 'choices', found none");
      }
      return chatApiCompletion.choices().getFirst().message().content();
    }
  },

  /** {@code POST /api/chat} of Ollama. */
  OLLAMA("/api/chat") {
    @Override
    Map<String, Object> responseFormat(Map<String, Object> schema) {
      return Map.of("format", schema);
    }

    @Override
    String content(byte[] json) {
      return Json.read(json, ChatApiChoice.class).message().content();
    }
  };

  private final String path;

  ChatProtocol(String path) {
    this.path = path;
  }

  private record ChatApiCompletion(List<ChatApiChoice> choices) {}

  private record ChatApiChoice(ChatApiMessage message) {}

  private record ChatApiMessage(String content) {}

  String path() {
    return path;
  }

  /** Returns the name in settings and messages. */
  String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Returns the part of the request that asks for this shape of an answer. */
  abstract Map<String, Object> responseFormat(Map<String, Object> schema);

  /** Returns the text of the model's answer. */
  abstract String content(byte[] json);
}
