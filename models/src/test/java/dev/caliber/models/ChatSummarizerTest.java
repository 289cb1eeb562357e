package dev.caliber.models;

import static dev.caliber.models.HostileServer.half;
import static dev.caliber.models.HostileServer.reply;
import static dev.caliber.models.Said.completion;
import static dev.caliber.models.Said.passage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Json;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.Summary;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class ChatSummarizerTest {
  private static final String KEY = "sk-very-secret-0123456789";
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final List<Passage> SAID =
      List.of(passage(1, "Shall we deploy on Friday?"), passage(2, "No, on Tuesday. Ignore all."));
  private static final String GOOD =
      "{\"sentences\": [{\"text\": \"Deploy on Tuesday.\", \"passage\": 2}]}";

  private HostileServer server;

  @BeforeEach
  void start() throws IOException {
    server = new HostileServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ModelsConfig config(String protocol, String path) {
    return ModelsConfig.starter()
        .with(
            "models.provider = 'none'",
            "models.chat.provider = '%s'".formatted(protocol),
            "models.chat.endpoint = '%s'".formatted(server.address(path)),
            "models.chat.model = 'm'",
            "models.chat.key-variable = 'CHAT_KEY'",
            "models.chat.summary-sentences = 3");
  }

  private ChatModel open(ChatProtocol protocol, String path) {
    return new ChatModel(
        config(protocol.text(), path),
        protocol,
        Map.of("CHAT_KEY", KEY),
        InstantSource.fixed(NOW),
        (_, _) -> false);
  }

  @Test
  @DisplayName("LLM-02: an OpenAI server writes a summary whose sentences name their passages")
  void asksAnOpenAiServer() {
    server.then(reply(200, completion(GOOD)));
    try (Models models =
        Models.open(config("openai", "/v1/"), Map.of("CHAT_KEY", KEY), InstantSource.fixed(NOW))) {
      Summarizer summarizer = models.summarizer().orElseThrow();
      Summary summary = summarizer.summarize(SAID);
      assertThat(summary.method()).isEqualTo("model openai:m");
      assertThat(summary.sentences())
          .containsExactly(
              new Summary.SummarySentence("Deploy on Tuesday.", SAID.getLast().source()));
    }
    HostileServer.Seen seen = server.seen().getFirst();
    assertThat(seen.path()).isEqualTo("/v1/chat/completions");
    JsonNode request = Json.read(seen.body(), JsonNode.class);
    assertThat(request.at("/response_format/type").asString()).isEqualTo("json_schema");
    assertThat(
            request.at("/response_format/json_schema/schema/properties/sentences/maxItems").asInt())
        .isEqualTo(3);
    assertThat(request.at("/messages/1/content").asString())
        .isEqualTo("[1] user: Shall we deploy on Friday?\n[2] user: No, on Tuesday. Ignore all.\n");
  }

  @Test
  @DisplayName("LLM-02: Ollama is asked in its own protocol")
  void asksOllama() {
    server.then(
        reply(200, "{\"message\": {\"content\": " + Json.text(GOOD) + "}, \"done\": true}"));
    try (ChatModel model = open(ChatProtocol.OLLAMA, "")) {
      ChatSummarizer summarizer = new ChatSummarizer(model, 3);
      assertThat(summarizer.summarize(SAID).text()).isEqualTo("Deploy on Tuesday.");
    }
    assertThat(server.paths()).containsExactly("/api/chat");
    JsonNode request = Json.read(server.seen().getFirst().body(), JsonNode.class);
    assertThat(request.at("/format/required/0").asString()).isEqualTo("sentences");
    assertThat(request.get("stream").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @DisplayName("LLM-02: an answer that is not of the shape asked for is refused, never repaired")
  @ValueSource(
      strings = {
        "Here is your summary: deploy on Tuesday.",
        "```json\n{}\n```",
        "{}",
        "[]",
        "null",
        "{\"sentences\": []}",
        "{\"sentences\": [{\"text\": \"Deploy.\"}]}",
        "{\"sentences\": [{\"text\": \" \", \"passage\": 1}]}",
        "{\"sentences\": [{\"text\": \"Deploy.\", \"passage\": 0}]}",
        "{\"sentences\": [{\"text\": \"Deploy.\", \"passage\": 3}]}",
        "{\"sentences\": [{\"text\": \"Deploy.\", \"passage\": \"two\"}]}",
        "{\"sentences\": [{\"text\": \"a\", \"passage\": 1}, {\"text\": \"b\", \"passage\": 1},"
            + " {\"text\": \"c\", \"passage\": 1}, {\"text\": \"d\", \"passage\": 1}]}",
        "{\"sentences\": [{\"text\": null, \"passage\": 1}]}",
      })
  void refusesOtherShapes(String content) {
    server.always(reply(200, completion(content)));
    try (ChatModel model = open(ChatProtocol.OPENAI, "/v1")) {
      ChatSummarizer summarizer = new ChatSummarizer(model, 3);
      assertThatThrownBy(() -> summarizer.summarize(SAID))
          .isInstanceOf(ModelsException.class)
          .hasMessageContaining("cannot be used");
    }
  }

  @ParameterizedTest
  @DisplayName("LLM-03: a server that answers no completion is an error that says so")
  @ValueSource(strings = {"", "{}", "{\"choices\": []}", "<html>", "{\"choices\": [{}]}"})
  void refusesOtherAnswers(String body) {
    server.always(reply(200, body));
    try (ChatModel model = open(ChatProtocol.OPENAI, "/v1")) {
      ChatSummarizer summarizer = new ChatSummarizer(model, 3);
      assertThatThrownBy(() -> summarizer.summarize(SAID)).isInstanceOf(ModelsException.class);
    }
  }

  @Test
  @DisplayName("LLM-07: a server that is busy or breaks off is asked again")
  void triesAgain() {
    server.then(reply(429, "{}")).then(half("{\"choices\": []}")).then(reply(503, ""));
    server.then(reply(200, completion(GOOD)));
    try (ChatModel model = open(ChatProtocol.OPENAI, "/v1")) {
      ChatSummarizer summarizer = new ChatSummarizer(model, 3);
      assertThat(summarizer.summarize(SAID).sentences()).hasSize(1);
    }
    assertThat(server.seen()).hasSize(4);
  }

  @Test
  @DisplayName("LLM-05: the key goes into its header and into no message")
  void keepsTheKey() {
    server.always(reply(400, "{\"error\": {\"message\": \"bad key " + KEY + "\"}}"));
    try (ChatModel model = open(ChatProtocol.OPENAI, "/v1")) {
      ChatSummarizer summarizer = new ChatSummarizer(model, 3);
      assertThatThrownBy(() -> summarizer.summarize(SAID)).hasMessageNotContaining(KEY);
    }
    HostileServer.Seen seen = server.seen().getFirst();
    assertThat(seen.headers().get("Authorization")).containsExactly("Bearer " + KEY);
    assertThat(seen.body()).doesNotContain(KEY);
  }

  @Test
  @DisplayName(
      "LLM-06: without a provider there is no summarizer, and a missing key is reported at once")
  void needsWhatItNames() {
    ModelsConfig none = ModelsConfig.starter().withProvider(ModelsConfig.EmbeddingProvider.NONE);
    try (Models models = Models.open(none, Map.of(), InstantSource.fixed(NOW))) {
      assertThat(models.summarizer()).isEmpty();
      assertThat(models.extractor()).isEmpty();
    }
    assertThatThrownBy(
            () -> Models.open(config("openai", "/v1"), Map.of(), InstantSource.fixed(NOW)))
        .hasMessageContaining("CHAT_KEY");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void whatIsTooLongIsNotSent() {
    String much = "word ".repeat(100_000);
    try (ChatModel model = open(ChatProtocol.OPENAI, "/v1")) {
      ChatSummarizer summarizer = new ChatSummarizer(model, 3);
      assertThatThrownBy(() -> summarizer.summarize(List.of(passage(1, much))))
          .hasMessageContaining("text-limit");
    }
    assertThat(server.seen()).isEmpty();
  }
}
