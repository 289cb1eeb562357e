package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that last: event streams, subscriptions and bulk. */
@Timeout(120)
class StreamTest {
  private static final String SOMETHING = "{\"text\": \"Something\"}";

  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private TestServer server;
  private String key = "";
  private String id = "";

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            TestServer.setup(
                directory, TestServer.starter().with("server.events.heartbeat-interval = '20ms'")));
    Reply made = server.post("/keys", "{\"name\": \"w\", \"right\": \"WRITE\"}");
    key = made.text("secret");
    id = made.text("key", "id");
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  private void revoke() {
    assertThat(server.post("/keys/%s/revoke".formatted(id), "{}").status()).isEqualTo(200);
  }

  private BufferedReader open(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        client.send(
            request.header("Authorization", "Bearer " + key).build(), BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  /** Returns the next line with this start; nothing if the stream ends before. */
  private static Optional<String> next(BufferedReader lines, String start) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith(start)) {
      line = lines.readLine();
    }
    return Optional.ofNullable(line);
  }

  @Test
  @DisplayName("a filtered stream says that it is there and how far it has come")
  void filteredStreamsMoveOn() throws Exception {
    try (BufferedReader lines = open(server.request("/events?tables=lease").GET())) {
      long before = place(next(lines, "id: ").orElseThrow());
      server.post("/remember", SOMETHING);
      long after = before;
      while (after == before) {
        after = place(next(lines, "id: ").orElseThrow());
      }
      assertThat(after).isGreaterThan(before);
    }
  }

  private static long place(String line) {
    return Long.parseLong(line.substring(line.indexOf('-') + 1));
  }

  @Test
  @DisplayName("DEP-02: an event stream ends when its key is revoked, with the reason")
  void revokedKeysEndStreams() throws Exception {
    try (BufferedReader lines = open(server.request("/events").GET())) {
      next(lines, ":");
      revoke();
      assertThat(next(lines, "event: problem")).isPresent();
      String data = lines.readLine();
      assertThat(data).startsWith("data: ").contains("API_KEY_INVALID");
      assertThat(
              new ContractDocument()
                  .eventFaults(
                      new ContractDocument.Route("GET", "/api/v1/events"),
                      "problem",
                      data.substring("data: ".length())))
          .isEmpty();
      assertThat(next(lines, "event")).isEmpty();
    }
  }

  @Test
  @DisplayName("DEP-02: a subscription of MCP ends when its key is revoked")
  void revokedKeysEndSubscriptions() throws Exception {
    String listen =
        """
        {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
          "notifications": {"resourcesListChanged": true},
          "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {}}}}
        """;
    HttpRequest.Builder request =
        TestServer.json(HttpRequest.newBuilder(server.uri("/mcp")), listen)
            .header("MCP-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", "subscriptions/listen");
    try (BufferedReader lines = open(request)) {
      assertThat(next(lines, "data: ")).isPresent();
      revoke();
      assertThat(next(lines, "data: ").orElse("")).contains("complete");
      assertThat(next(lines, "data: ")).isEmpty();
    }
  }

  private static String line(String text) {
    return "{\"operation\": \"remember\", \"input\": {\"text\": \"%s\"}}\n".formatted(text);
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  @Test
  @DisplayName("DEP-02: a bulk request writes nothing more once its key is revoked")
  void revokedKeysEndBulk() throws Exception {
    String head =
        """
        POST /api/v1/bulk HTTP/1.1\r
        Host: localhost\r
        Connection: close\r
        Authorization: Bearer %s\r
        Content-Type: application/x-ndjson\r
        Content-Length: %d\r
        \r
        """
            .formatted(key, line("Before").length() + line("After").length());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
      send(socket, head + line("Before"));
      while (notes() < 1) {
        Thread.onSpinWait();
      }
      revoke();
      send(socket, line("After"));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 200").contains("Before", "API_KEY_INVALID");
      assertThat(notes()).isEqualTo(1);
    }
  }

  private int notes() {
    return server.get("/notes").body().path("items").size();
  }

  @Test
  @DisplayName("a line of a bulk request that is too long ends it with a line that says so")
  void bulkEndsWithALine() throws Exception {
    String tooLong = "{\"operation\": \"%s\"}\n".formatted("x".repeat(9 << 20));
    HttpResponse<String> answer =
        client.send(
            server
                .request("/bulk")
                .header("Content-Type", "application/x-ndjson")
                .POST(
                    BodyPublishers.ofString(
                        "{\"operation\": \"remember\", \"input\": %s}\n%s"
                            .formatted(SOMETHING, tooLong)))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.body().strip().lines()).hasSize(2);
    assertThat(answer.body().lines().toList().getLast()).contains("BODY_TOO_LARGE");
  }
}
