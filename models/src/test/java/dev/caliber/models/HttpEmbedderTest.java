package dev.caliber.models;

import static dev.caliber.models.HostileServer.half;
import static dev.caliber.models.HostileServer.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Durations;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpEmbedderTest {

  private static final String KEY = "sk-very-secret-0123456789";
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final int RETRIES = 3;

  private HostileServer server;
  private final List<Duration> pauses = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = new HostileServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @DisplayName("LLM-01: a batch is one request, and its vectors come in the order of the texts")
  void asksOnceForABatch() {
    server.then(reply(200, openAi("m", item(1, 0, 1), item(0, 1, 0))));
    try (var embedder = open(new OpenAiProtocol())) {
      assertThat(vectors(embedder.embed(EmbeddingPurpose.PASSAGE, List.of("one", "two"))))
          .containsExactly(new float[] {1, 0}, new float[] {0, 1});
      assertThat(embedder.dimensions()).isEqualTo(2);
    }
    assertThat(server.paths()).containsExactly("/v1/embeddings");
    assertThat(server.seen().getFirst().body())
        .contains("\"p: one\",\"p: two\"", "\"model\":\"m\"");
  }

  @Test
  @DisplayName("J-41: more texts than a request may hold go in several, order kept")
  void splitsLongLists() {
    server.always(this::echo);
    var texts = IntStream.range(1, 12).mapToObj(Integer::toString).toList();
    try (var embedder = open(new OpenAiProtocol())) {
      var found = vectors(embedder.embed(EmbeddingPurpose.PASSAGE, texts));
      for (int i = 0; i < texts.size(); i++) {
        assertThat(found.get(i)[1] / found.get(i)[0])
            .isCloseTo(i + 1, org.assertj.core.data.Offset.offset(1e-4f));
      }
    }
    assertThat(server.seen()).hasSize(3);
  }

  @Test
  @DisplayName("LLM-03: four servers beside OpenAI's are asked in their own protocols")
  void speaksEveryProtocol() {
    server
        .then(reply(200, "{\"model\":\"m:latest\",\"embeddings\":[[3,4]]}"))
        .then(reply(200, "{\"embeddings\":{\"float\":[[3,4]]}}"))
        .then(reply(200, openAi("m", item(0, 3, 4))))
        .then(reply(200, "{\"embeddings\":[{\"values\":[3,4]}]}"));
    for (var protocol :
        List.of(
            new OllamaProtocol(),
            new CohereProtocol(),
            new VoyageProtocol(),
            new GeminiProtocol())) {
      try (var embedder = open(protocol)) {
        assertThat(vectors(embedder.embed(EmbeddingPurpose.QUERY, List.of("hello"))))
            .containsExactly(new float[] {0.6f, 0.8f});
        assertThat(embedder.model()).startsWith(protocol.name() + ":m:2:");
      }
    }
    assertThat(server.paths())
        .containsExactly(
            "/v1/api/embed", "/v1/embed", "/v1/embeddings", "/v1/models/m:batchEmbedContents");
    var bodies = server.seen().stream().map(HostileServer.Seen::body).toList();
    assertThat(bodies.get(0)).contains("\"truncate\":false");
    assertThat(bodies.get(1)).contains("\"search_query\"", "\"truncate\":\"NONE\"");
    assertThat(bodies.get(2)).contains("\"input_type\":\"query\"", "\"truncation\":false");
    assertThat(bodies.get(3)).contains("\"RETRIEVAL_QUERY\"", "\"q: hello\"");
    assertThat(server.seen().get(3).headers().get("X-goog-api-key")).containsExactly(KEY);
    assertThat(server.seen().get(1).headers().get("Authorization"))
        .containsExactly("Bearer " + KEY);
  }

  @Test
  @DisplayName("LLM-07: failures that may pass are tried again after the computed pauses")
  void triesAgain() {
    server
        .then(reply(500, "{}"))
        .then(reply(503, "oops"))
        .then(half(openAi("m", item(0, 1, 0))))
        .then(reply(200, openAi("m", item(0, 1, 0))));
    try (var embedder = open(new OpenAiProtocol())) {
      assertThat(vectors(embedder.embed(EmbeddingPurpose.PASSAGE, List.of("x")))).hasSize(1);
    }
    assertThat(pauses)
        .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
  }

  @Test
  @DisplayName("LLM-07: after the last attempt the failure is the result")
  void givesUp() {
    try (var embedder = open(new OpenAiProtocol())) {
      assertFailed(embedder, ModelsErrorCode.REQUEST_FAILED);
    }
    assertThat(server.seen()).hasSize(4);
  }

  @Test
  @DisplayName("LLM-07: a server that limits its rate is given the pause that it asks for")
  void honoursRetryAfter() {
    server
        .then(reply(429, "{}", "Retry-After", "1.5"))
        .then(reply(429, "{}", "retry-after-ms", "70", "Retry-After", "9"))
        .then(reply(503, "{}", "Retry-After", "Sun, 01 Mar 2026 12:00:02 GMT"))
        .then(reply(200, openAi("m", item(0, 1, 0))));
    try (var embedder = open(new OpenAiProtocol())) {
      assertThat(vectors(embedder.embed(EmbeddingPurpose.PASSAGE, List.of("x")))).hasSize(1);
    }
    assertThat(pauses)
        .containsExactly(Duration.ofMillis(1500), Duration.ofMillis(70), Duration.ofSeconds(2));
  }

  @Test
  @DisplayName("LLM-07: a pause beyond the longest one is handed to the caller, not waited for")
  void handsLongPausesOn() {
    server.always(reply(429, "{}", "Retry-After", "3600"));
    try (var embedder = open(new OpenAiProtocol())) {
      var failure = assertFailed(embedder, ModelsErrorCode.RATE_LIMITED);
      assertThat(failure.retryAfter()).contains(Duration.ofHours(1));
      assertThat(failure.isRetryable()).isTrue();
    }
    assertThat(pauses).isEmpty();
  }

  @Test
  @DisplayName("REC-13: a text that the server refuses fails alone")
  void findsTheBadText() {
    server.always(
        (exchange, body) -> {
          if (body.contains("p: 13")) {
            reply(400, "{\"error\":{\"message\":\"too\\nlong\"}}").answer(exchange, body);
          } else {
            echo(exchange, body);
          }
        });
    try (var embedder = open(new OpenAiProtocol())) {
      var found = embedder.embed(EmbeddingPurpose.PASSAGE, List.of("11", "12", "13", "14"));
      assertThat(found.get(2))
          .isInstanceOfSatisfying(
              Embedding.Failure.class,
              failure -> {
                assertThat(failure.code()).isEqualTo(ModelsErrorCode.INPUT_REJECTED);
                assertThat(failure.message()).contains("too long");
              });
      assertThat(Stream.of(0, 1, 3).map(found::get))
          .allMatch(result -> result instanceof Embedding.Vector);
    }
    assertThat(pauses).isEmpty();
  }

  @Test
  @DisplayName("REC-13: a text over which the server fails inside fails alone, and may be retried")
  void findsTheTextThatBreaksTheServer() {
    server.always(
        (exchange, body) -> {
          if (body.contains("p: 13")) {
            reply(500, "{\"error\":\"input is too large\"}").answer(exchange, body);
          } else {
            echo(exchange, body);
          }
        });
    try (var embedder = open(new OpenAiProtocol())) {
      var found =
          embedder.embed(EmbeddingPurpose.PASSAGE, List.of("13", "12", "11", "14", "15", "16"));
      assertThat(code(found.getFirst())).isEqualTo(ModelsErrorCode.REQUEST_FAILED);
      assertThat(((Embedding.Failure) found.getFirst()).causedByText()).isFalse();
      assertThat(found.subList(1, 6)).allMatch(result -> result instanceof Embedding.Vector);
    }
  }

  @Test
  @DisplayName("LLM-07: a query is tried once, because a caller waits for it")
  void asksOnceForAQuery() {
    try (var embedder = open(new OpenAiProtocol())) {
      var found = embedder.embed(EmbeddingPurpose.QUERY, List.of("x"));
      assertThat(code(found.getFirst())).isEqualTo(ModelsErrorCode.REQUEST_FAILED);
    }
    assertThat(server.seen()).hasSize(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  @DisplayName("LLM-08: a model may be named with the tag that Ollama lists")
  void knowsTheNewestTag() {
    server.always(reply(200, "{\"model\":\"m:latest\",\"embeddings\":[[3,4]]}"));
    for (String name : List.of("m", "m:latest")) {
      try (var embedder = open(named(name), new OllamaProtocol(), local())) {
        assertThat(vectors(embedder.embed(EmbeddingPurpose.PASSAGE, List.of("x")))).hasSize(1);
      }
    }
    try (var embedder = open(named("m:large"), new OllamaProtocol(), local())) {
      assertFailed(embedder, ModelsErrorCode.MODEL_MISMATCH);
    }
  }

  private ModelsConfig named(String model) {
    return config(Duration.ofSeconds(20), RETRIES)
        .with("models.http.model = '%s'".formatted(model), "models.http.model-aliases = []");
  }

  @Test
  @DisplayName("LLM-06: no part of a key is shown, wherever the provider's text is cut off")
  void cutsKeysOutBeforeItShortens() {
    String said = "x".repeat(190) + KEY;
    server.always(reply(404, "{\"error\":\"%s\"}".formatted(said)));
    try (var embedder = open(new OpenAiProtocol())) {
      assertThat(assertFailed(embedder, ModelsErrorCode.REQUEST_REJECTED).message())
          .doesNotContain(KEY.substring(0, 5));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"data\":[null]}", "{\"data\":[{\"index\":0,\"embedding\":null}]}"})
  @DisplayName("LLM-01: null in place of a vector is an invalid answer")
  void refusesNull(String answer) {
    server.always(reply(200, answer));
    try (var embedder = open(new OpenAiProtocol())) {
      assertFailed(embedder, ModelsErrorCode.INVALID_RESPONSE);
    }
  }

  @Test
  @DisplayName("REC-13: once a server is away, the rest of the texts fail without being sent")
  void doesNotHammer() {
    server.always(reply(503, ""));
    try (var embedder = open(new OpenAiProtocol())) {
      var found =
          embedder.embed(EmbeddingPurpose.PASSAGE, List.of("1", "2", "3", "4", "5", "6", "7"));
      assertThat(found).hasSize(7).allMatch(result -> result instanceof Embedding.Failure);
    }
    assertThat(server.seen()).hasSize(4);
  }

  @Test
  @DisplayName("LLM-08: a vector of another length is DIMENSION_MISMATCH, for its text alone")
  void refusesOtherDimensions() {
    server.then(reply(200, openAi("m", item(0, 1, 0), item(1, 1, 0, 0))));
    try (var embedder = open(new OpenAiProtocol())) {
      var found = embedder.embed(EmbeddingPurpose.PASSAGE, List.of("one", "two"));
      assertThat(found.getFirst()).isInstanceOf(Embedding.Vector.class);
      assertThat(code(found.get(1))).isEqualTo(KernelErrorCode.DIMENSION_MISMATCH);
    }
  }

  @Test
  @DisplayName("LLM-08: an answer for another model is MODEL_MISMATCH, unless its name is listed")
  void refusesOtherModels() {
    server
        .then(reply(200, openAi("other", item(0, 1, 0))))
        .then(reply(200, openAi("alias", item(0, 1, 0))));
    try (var embedder = open(new OpenAiProtocol())) {
      assertFailed(embedder, ModelsErrorCode.MODEL_MISMATCH);
      assertThat(vectors(embedder.embed(EmbeddingPurpose.PASSAGE, List.of("x")))).hasSize(1);
    }
  }

  @ParameterizedTest
  @DisplayName("REC-13: answers that do not pair up with the texts are INVALID_RESPONSE")
  @ValueSource(
      strings = {
        "{\"model\":\"m\",\"data\":[]}",
        "{\"model\":\"m\",\"data\":[{\"index\":1,\"embedding\":[1,0]}]}",
        "{\"model\":\"m\",\"data\":[{\"index\":-1,\"embedding\":[1,0]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1,0]},{\"index\":0,\"embedding\":[0,1]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1,0]},{\"index\":1,\"embedding\":[0,1]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[\"1\",0]}]}",
        "{\"data\":[{\"index\":0}]}",
        "<html>It works!</html>",
        "{\"data\":[{\"index\":0,\"embedding\":[1,",
        "null"
      })
  void refusesWrongAnswers(String answer) {
    server.then(reply(200, answer));
    try (var embedder = open(new OpenAiProtocol())) {
      assertFailed(embedder, ModelsErrorCode.INVALID_RESPONSE);
    }
    assertThat(server.seen()).hasSize(1);
  }

  @ParameterizedTest
  @DisplayName("LLM-01: a vector without a direction is INVALID_VECTOR")
  @ValueSource(strings = {"[0,0]", "[1e999,1]"})
  void refusesVectorsWithoutDirection(String vector) {
    server.then(reply(200, "{\"data\":[{\"index\":0,\"embedding\":" + vector + "}]}"));
    try (var embedder = open(new OpenAiProtocol())) {
      assertFailed(embedder, KernelErrorCode.INVALID_VECTOR);
    }
  }

  @Test
  @DisplayName("LLM-03: an answer beyond the size limit is cut off and refused")
  void refusesEndlessAnswers() {
    server.then(
        (exchange, _) -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] block = " ".repeat(1024).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
          try {
            for (int i = 0; i < 100_000; i++) {
              exchange.getResponseBody().write(block);
            }
          } finally {
            exchange.close();
          }
        });
    try (var embedder = open(new OpenAiProtocol())) {
      assertThat(assertFailed(embedder, ModelsErrorCode.INVALID_RESPONSE).message())
          .contains("response-limit");
    }
  }

  @Test
  @DisplayName("LLM-03: an answer that never ends is given up in time")
  void refusesSlowAnswers() {
    var ended = new CountDownLatch(1);
    server.always(
        (exchange, _) -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          try {
            ended.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
    var config = config(Duration.ofMillis(300), 0);
    try (var embedder = open(config, new OpenAiProtocol(), local())) {
      assertThat(assertFailed(embedder, ModelsErrorCode.REQUEST_FAILED).message())
          .contains("PT0.3S");
    } finally {
      ended.countDown();
    }
  }

  @Test
  @DisplayName("LLM-03: a redirect is not followed")
  void followsNoRedirects() {
    server.then(reply(307, "", "Location", server.address("/private").toString()));
    try (var embedder = open(new OpenAiProtocol())) {
      assertFailed(embedder, ModelsErrorCode.REQUEST_REJECTED);
    }
    assertThat(server.paths()).containsExactly("/v1/embeddings");
  }

  @ParameterizedTest
  @DisplayName("LLM-05: a refused key is in no message, whatever the server says")
  @ValueSource(ints = {400, 401, 403, 404, 500})
  void keepsKeysOutOfMessages(int status) {
    server.always(
        (exchange, body) -> {
          String key = exchange.getRequestHeaders().getFirst("Authorization").substring(7);
          reply(status, "{\"error\":{\"message\":\"Incorrect API key: " + key + "\"}}")
              .answer(exchange, body);
        });
    try (var embedder = open(new OpenAiProtocol())) {
      var failure =
          (Embedding.Failure) embedder.embed(EmbeddingPurpose.QUERY, List.of("x")).getFirst();
      assertThat(failure.toString() + embedder).doesNotContain(KEY);
    }
  }

  @Test
  @DisplayName("LLM-05: keys come from the environment; a missing or broken one is refused at once")
  void needsItsKey() {
    assertThatThrownBy(() -> ProviderApiKey.from("MODEL_KEY", Map.of()))
        .isInstanceOf(ModelsException.class)
        .hasMessageContaining("MODEL_KEY");
    assertThatThrownBy(() -> ProviderApiKey.from("MODEL_KEY", Map.of("MODEL_KEY", "sk-a\nb")))
        .isInstanceOf(ModelsException.class)
        .hasMessageNotContaining("sk-a");
    assertThat(ProviderApiKey.from("MODEL_KEY", Map.of("MODEL_KEY", KEY + "\n")))
        .hasToString("***");
  }

  @Test
  @DisplayName("LLM-01: empty and oversized texts fail alone and are not sent")
  void refusesTextsItCannotSend() {
    server.always(this::echo);
    try (var embedder = open(new OpenAiProtocol())) {
      var found = embedder.embed(EmbeddingPurpose.PASSAGE, List.of(" \n", "7", "x".repeat(5000)));
      assertThat(code(found.get(0))).isEqualTo(KernelErrorCode.REQUIRED_FIELD_MISSING);
      assertThat(found.get(1)).isInstanceOf(Embedding.Vector.class);
      assertThat(code(found.get(2))).isEqualTo(ModelsErrorCode.TEXT_TOO_LONG);
      assertThat(embedder.embed(EmbeddingPurpose.QUERY, List.of())).isEmpty();
    }
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  @DisplayName("LLM-01: an unreachable server is a result, not an exception")
  void reportsUnreachableServers() {
    server.close();
    try (var embedder = open(new OpenAiProtocol())) {
      assertFailed(embedder, ModelsErrorCode.REQUEST_FAILED);
    }
  }

  @Test
  @DisplayName("LLM-01: a closed embedder says so")
  void refusesAfterClose() {
    var embedder = open(new OpenAiProtocol());
    embedder.close();
    embedder.close();
    assertThatThrownBy(() -> embedder.embed(EmbeddingPurpose.QUERY, List.of("x")))
        .isInstanceOfSatisfying(
            CaliberException.class, e -> assertThat(e.code()).isEqualTo(ModelsErrorCode.CLOSED));
  }

  @Test
  @DisplayName("J-20: prefixes are part of the model's name, so that vectors never mix")
  void namesPrefixes() {
    try (var embedder = open(new OpenAiProtocol())) {
      assertThat(embedder.model()).matches("openai:m:2:[0-9a-f]{8}");
      assertThat(embedder.cacheKey(EmbeddingPurpose.QUERY, "x"))
          .isNotEqualTo(embedder.cacheKey(EmbeddingPurpose.PASSAGE, "x"));
    }
  }

  /** Answers text "p: N" with the vector (1, N). */
  private void echo(com.sun.net.httpserver.HttpExchange exchange, String body) throws IOException {
    record Request(List<String> input) {}
    var input = Json.read(body, Request.class).input();
    var items =
        IntStream.range(0, input.size())
            .mapToObj(i -> item(i, 1, Integer.parseInt(input.get(i).substring(3))))
            .toArray(String[]::new);
    reply(200, openAi("m", items)).answer(exchange, body);
  }

  private static String item(int index, int... elements) {
    return "{\"index\":%d,\"embedding\":%s}"
        .formatted(index, IntStream.of(elements).boxed().toList());
  }

  private static String openAi(String model, String... items) {
    return "{\"object\":\"list\",\"model\":\"%s\",\"data\":[%s]}"
        .formatted(model, String.join(",", items));
  }

  private static Embedding.Failure assertFailed(Embedder embedder, ErrorCode code) {
    var found = embedder.embed(EmbeddingPurpose.PASSAGE, List.of("8"));
    assertThat(found).hasSize(1);
    assertThat(code(found.getFirst())).isEqualTo(code);
    return (Embedding.Failure) found.getFirst();
  }

  private static ErrorCode code(Embedding embedding) {
    return ((Embedding.Failure) embedding).code();
  }

  private static List<float[]> vectors(List<Embedding> found) {
    return found.stream().map(result -> ((Embedding.Vector) result).values()).toList();
  }

  private Embedder open(EmbeddingProtocol protocol) {
    return open(config(Duration.ofSeconds(20), RETRIES), protocol, local());
  }

  private Embedder open(ModelsConfig config, EmbeddingProtocol protocol, EgressGuard guard) {
    return new HttpEmbedder(
        config, Map.of("MODEL_KEY", KEY), InstantSource.fixed(NOW), protocol, guard, this::pause);
  }

  private boolean pause(CountDownLatch closed, Duration length) {
    pauses.add(length);
    return closed.getCount() == 0;
  }

  private static EgressGuard local() {
    return EgressGuard.of(ModelsConfig.starter().egress());
  }

  private ModelsConfig config(Duration answerTimeout, int retries) {
    String timeout = Durations.format(answerTimeout);
    return ModelsConfig.starter()
        .with(
            "models.http.endpoint = '%s'".formatted(server.address("/v1/")),
            "models.http.model = 'm'",
            "models.http.model-aliases = ['alias']",
            "models.http.dimensions = 2",
            "models.http.query-prefix = 'q: '",
            "models.http.passage-prefix = 'p: '",
            "models.http.key-variable = 'MODEL_KEY'",
            "models.http.limits.batch-texts = 4",
            "models.http.limits.text-limit = '4KiB'",
            "models.http.limits.concurrency = 2",
            "models.http.limits.connect-timeout = '20s'",
            "models.http.limits.response-timeout = '%s'".formatted(timeout),
            "models.http.limits.query-timeout = '%s'".formatted(timeout),
            "models.http.limits.response-limit = '64KiB'",
            "models.retry.max-retries = " + retries,
            "models.retry.initial-backoff = '100ms'",
            "models.retry.max-backoff = '2s'",
            "models.retry.backoff-multiplier = 2");
  }
}
