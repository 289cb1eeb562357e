package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.settings.ServerConfig;
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
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests beyond the limits are refused with a retry time. */
@Timeout(120)
class OverloadTest {
  private static final int CLIENTS = 40;

  @TempDir Path directory;

  private static ServerConfig limited(int requests, int burst, double rate) {
    return TestServer.starter()
        .with(
            "server.limits.concurrent-requests = " + requests,
            "server.limits.queue-timeout = '0s'",
            "server.limits.burst = " + burst,
            "server.limits.requests-per-second = " + rate);
  }

  @Test
  @DisplayName("a caller over its rate gets 429 and the time to wait")
  void aRateIsKept() {
    try (TestServer server =
        TestServer.start(TestServer.setup(directory, limited(CLIENTS, 2, 0.01)))) {
      assertThat(server.get("/spaces").status()).isEqualTo(200);
      assertThat(server.get("/spaces").status()).isEqualTo(200);
      Reply refused = server.get("/spaces");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text("code")).endsWith("TOO_MANY_REQUESTS");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 100);
    }
  }

  @Test
  @DisplayName("a commit counts for the rate as many requests as it has operations")
  void stepsOfACommitCount() {
    String step = "{\"operation\": \"remember\", \"input\": {\"text\": \"x\"}}";
    String commit =
        "{\"operations\": [%s]}".formatted(String.join(",", Collections.nCopies(10, step)));
    try (TestServer server =
        TestServer.start(TestServer.setup(directory, limited(CLIENTS, 5, 0.01)))) {
      assertThat(server.post("/commit", commit).status()).isEqualTo(200);
      Reply refused = server.get("/spaces");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(500, 600);
    }
  }

  @Test
  @DisplayName("one key cannot open all event streams")
  void streamsAreBoundedPerKey() throws Exception {
    ServerConfig one = TestServer.starter().with("server.limits.streams-per-key = 1");
    try (TestServer server = TestServer.start(TestServer.setup(directory, one));
        HttpClient client = HttpClient.newHttpClient()) {
      String key = server.post("/keys", "{\"name\": \"w\", \"right\": \"READ\"}").text("secret");
      HttpRequest mine = server.request("/events").header("Authorization", "Bearer " + key).build();
      try (var first = client.send(mine, BodyHandlers.ofInputStream()).body()) {
        assertThat(first.read()).isPositive();
        HttpResponse<String> refused = client.send(mine, BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("server.limits.streams-per-key");
        try (var other =
            client.send(server.request("/events").build(), BodyHandlers.ofInputStream()).body()) {
          assertThat(other.read()).isPositive();
        }
      }
      client.shutdownNow();
    }
  }

  @Test
  @DisplayName("a request over the limit gets 503 and the time to wait; the one before is answered")
  void moreThanTheLimitIsRefused() throws Exception {
    try (Rig rig = new Rig(TestServer.setup(directory, limited(1, 1000, 1000)))) {
      CompletableFuture<HttpResponse<String>> held = rig.hold();
      HttpResponse<String> refused = rig.get("/api/v1/notes");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("OVERLOADED", "server.limits.concurrent-requests");
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(rig.get("/health/live").statusCode()).isEqualTo(200);
      rig.release();
      assertThat(held.get().statusCode()).isEqualTo(200);
      assertThat(rig.get("/api/v1/notes").statusCode()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("a stop waits for running requests, whose callers get the answer")
  void aStopWaitsForWork() throws Exception {
    try (Rig rig = new Rig(TestServer.setup(directory, limited(CLIENTS, 1000, 1000)))) {
      CompletableFuture<HttpResponse<String>> held = rig.hold();
      Thread stop = Thread.ofPlatform().name("stop").start(rig.rest()::close);
      while (stop.getState() != Thread.State.TIMED_WAITING
          && stop.getState() != Thread.State.WAITING
          && stop.isAlive()) {
        Thread.onSpinWait();
      }
      rig.release();
      assertThat(held.get().statusCode()).isEqualTo(200);
      stop.join();
    }
  }

  private static Socket begun(TestServer server, String path, int length) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort());
    socket
        .getOutputStream()
        .write(
            """
            POST %s HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            Content-Length: %d\r
            \r
            {"""
                .formatted(path, length)
                .getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  @Test
  @DisplayName("ERR-08: a client that sends slowly keeps no other waiting, with a key or without")
  void slowSendersTakeNoTurn() throws IOException {
    try (TestServer server = TestServer.start(TestServer.setup(directory, limited(1, 1000, 1000)));
        Socket login = begun(server, "/api/v1/login", 1000);
        Socket remember = begun(server, "/api/v1/remember", 1000);
        Socket mcp = begun(server, "/mcp", 1000);
        Socket bulk = begun(server, "/api/v1/bulk", 1000)) {
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(server.get("/notes").status()).isEqualTo(200);
      }
      assertThat(List.of(login, remember, mcp, bulk)).allMatch(Socket::isConnected);
    }
  }
}
