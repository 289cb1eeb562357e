package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The limits of one request for vectors, and its end when its client leaves. */
@Timeout(120)
class EmbeddingLimitsTest {
  private static final int INPUTS = 500;

  @TempDir Path directory;

  private static ServerConfig limited(int inputs, int tokens) {
    return TestServer.starter()
        .with(
            "server.embeddings.max-inputs = " + inputs, "server.embeddings.max-tokens = " + tokens);
  }

  /** An embedder that runs an action before each call. */
  private record Called(AtomicInteger calls, Runnable doing, Embedder inner) implements Embedder {
    static Called doing(Runnable work) {
      return new Called(new AtomicInteger(), work, Embedder.hashing(8));
    }

    @Override
    public String model() {
      return "m";
    }

    @Override
    public int dimensions() {
      return inner.dimensions();
    }

    @Override
    public String prefix(EmbeddingPurpose embeddingPurpose) {
      return "";
    }

    @Override
    public List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> texts) {
      calls.incrementAndGet();
      doing.run();
      return inner.embed(embeddingPurpose, texts);
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private static String body(String model, int inputs) {
    return Json.text(Map.of("model", model, "input", Collections.nCopies(inputs, "green tea")));
  }

  private static HttpResponse<String> embed(Rig rig, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          TestServer.json(
                  HttpRequest.newBuilder(rig.rest().address().resolve("/v1/embeddings")), body)
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  @DisplayName("more texts than server.embeddings.max-inputs are refused before any is embedded")
  void textsAreBounded() throws Exception {
    Called embedder = Called.doing(() -> {});
    try (Rig rig = new Rig(TestServer.setup(directory, limited(3, 1000)), embedder)) {
      HttpResponse<String> refused = embed(rig, body("m", 4));
      assertThat(refused.statusCode()).isEqualTo(422);
      JsonNode error = Json.read(refused.body(), JsonNode.class).path("error");
      assertThat(error.path("message").asString())
          .contains("server.embeddings.max-inputs", "at most 3");
      assertThat(error.path("param").asString()).isEqualTo("/input");
      assertThat(error.path("type").asString()).isEqualTo("invalid_request_error");
      assertThat(embedder.calls()).hasValue(0);
      assertThat(embed(rig, body("m", 3)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("more tokens than server.embeddings.max-tokens are refused before any is embedded")
  void tokensAreBounded() throws Exception {
    Called embedder = Called.doing(() -> {});
    try (Rig rig = new Rig(TestServer.setup(directory, limited(100, 10)), embedder)) {
      HttpResponse<String> refused = embed(rig, body("m", 50));
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(refused.body()).contains("server.embeddings.max-tokens");
      assertThat(embedder.calls()).hasValue(0);
    }
  }

  @Test
  @DisplayName(
      "vectors of several batches come in the order of their texts, with all tokens counted")
  void batchesAreOneAnswer() throws Exception {
    try (Rig rig =
        new Rig(TestServer.setup(directory, limited(INPUTS, 10_000)), Called.doing(() -> {}))) {
      JsonNode answer = Json.read(embed(rig, body("m", INPUTS)).body(), JsonNode.class);
      assertThat(answer.path("data").size()).isEqualTo(INPUTS);
      assertThat(answer.at("/data/499/index").asInt()).isEqualTo(499);
      assertThat(answer.at("/data/499/embedding")).isEqualTo(answer.at("/data/0/embedding"));
      assertThat(answer.at("/usage/total_tokens").asInt()).isGreaterThanOrEqualTo(INPUTS);
    }
  }

  @Test
  @DisplayName("the work of a request ends when its client has left")
  void workEndsWithItsConnection() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    Called embedder =
        Called.doing(
            () -> {
              begun.countDown();
              await(left);
            });
    try (Rig rig = new Rig(TestServer.setup(directory, limited(INPUTS, 100_000)), embedder)) {
      try (Socket socket = ask(rig, body("m", INPUTS))) {
        await(begun);
        assertThat(socket.isConnected()).isTrue();
      }
      left.countDown();
    } // waits for the request
    assertThat(embedder.calls()).hasValue(1);
  }

  @Test
  @DisplayName("a client that has sent its next request meanwhile has not left")
  void pipelinedRequestsAreKept() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    Called embedder =
        Called.doing(
            () -> {
              begun.countDown();
              await(sent);
            });
    try (Rig rig = new Rig(TestServer.setup(directory, limited(INPUTS, 100_000)), embedder);
        Socket socket = ask(rig, body("m", INPUTS))) {
      await(begun);
      socket
          .getOutputStream()
          .write(
              "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      sent.countDown();
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answers)
          .startsWith("HTTP/1.1 200")
          .contains("total_tokens", "{\"status\":\"up\"}");
    }
  }

  @Test
  @DisplayName("a request without memory is answered with problem details, and the next one works")
  void outOfMemoryIsAnswered() throws Exception {
    Called embedder =
        Called.doing(
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    try (Rig rig = new Rig(TestServer.setup(directory, TestServer.starter()), embedder)) {
      HttpResponse<String> refused = embed(rig, body("m", 1));
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("OUT_OF_MEMORY", "server_error");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(rig.get("/health/ready").statusCode()).isEqualTo(200);
    }
    try (Rig rig =
        new Rig(
            TestServer.setup(directory, TestServer.starter()),
            () -> {
              throw new OutOfMemoryError("Java heap space");
            })) {
      HttpResponse<String> refused = rig.get("/api/v1/spaces");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/problem+json");
      assertThat(refused.headers().firstValue("Connection")).contains("close");
      assertThat(refused.body()).contains("OUT_OF_MEMORY", "request_id");
      assertThat(rig.get("/health/ready").statusCode()).isEqualTo(200);
    }
  }

  private static Socket ask(Rig rig, String body) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), rig.rest().address().getPort());
    String head =
        """
        POST /v1/embeddings HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: %d\r
        \r
        """
            .formatted(body.length());
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
