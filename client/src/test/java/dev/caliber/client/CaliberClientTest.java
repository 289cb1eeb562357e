package dev.caliber.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against servers that are unreachable, silent, or of another kind. */
@Timeout(60)
class CaliberClientTest {
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private final Queue<String> subjects = new ConcurrentLinkedQueue<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private HttpServer server;
  private URI address;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer("/", "{\"items\": []}");
    server.start();
    address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void answer(String path, String body) {
    server.createContext(
        path,
        exchange -> {
          asked.add(exchange.getRequestURI().toString());
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Caliber-Subject"))
              .ifPresent(subjects::add);
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  @AfterEach
  void stop() {
    released.countDown();
    server.stop(0);
  }

  @Test
  @DisplayName("a client for a subject names it with each call")
  void namesItsSubject() {
    try (CaliberClient client = CaliberClient.of(address)) {
      client.get("/notes");
      client.forSubject("alice").inSpace("home").get("/notes");
    }
    assertThat(subjects).containsExactly("alice");
  }

  @Test
  @DisplayName("API-07: a server below a path, as behind a proxy, is asked below that path")
  void keepsThePathOfItsServer() {
    for (String base : new String[] {"", "/", "/memory", "/memory/"}) {
      try (CaliberClient client = CaliberClient.of(URI.create(address + base))) {
        client.get("/notes?limit=1");
      }
    }
    assertThat(asked)
        .containsExactly(
            "/api/v1/notes?limit=1",
            "/api/v1/notes?limit=1",
            "/memory/api/v1/notes?limit=1",
            "/memory/api/v1/notes?limit=1");
  }

  @Test
  @DisplayName("API-07: an answer that is no JSON is a problem that names the server")
  void somethingElseAnswers() {
    answer("/page", "<html>Welcome</html>");
    try (CaliberClient client = CaliberClient.of(URI.create(address + "/page"))) {
      assertThatThrownBy(() -> client.get("/notes"))
          .isInstanceOfSatisfying(
              CaliberClientException.class,
              problem -> assertThat(problem.status()).isEqualTo(CaliberClientException.UNREACHABLE))
          .hasMessageContaining("not a Caliber server");
    }
  }

  @Test
  @DisplayName("API-07: a server that says nothing is waited for as long as was said")
  void nothingComes() {
    server.createContext(
        "/silent",
        exchange -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    try (CaliberClient client =
        CaliberClient.of(URI.create(address + "/silent")).withTimeout(Duration.ofMillis(50))) {
      assertThatThrownBy(() -> client.get("/notes"))
          .isInstanceOf(CaliberClientException.class)
          .hasMessageContaining("No answer came within the time limit");
      released.countDown();
    }
  }
}
