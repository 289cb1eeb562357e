package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A request that is refused before it has a route gets the same shape of refusal as any other. */
@Timeout(60)
class RefusedRequestsTest {
  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          GET / HTTP/9.9|Host: localhost|| ~ 505
          GET /%zz HTTP/1.1|Host: localhost|| ~ 400
          GET /api/v1/notes/%u0041 HTTP/1.1|Host: localhost|| ~ 400
          GET /api/v1/notes/%uD800 HTTP/1.1|Host: localhost|| ~ 400
          GET /api/v1/notes?type=%u0041 HTTP/1.1|Host: localhost|| ~ 400
          GET /api/v1/notes?limit=%zz HTTP/1.1|Host: localhost|| ~ 400
          GET /api/v1/events?after=%zz HTTP/1.1|Host: localhost|| ~ 400
          GET /%00 HTTP/1.1|Host: localhost|| ~ 400
          GET /api/v1/notes/%ED%A0%80 HTTP/1.1|Host: localhost|| ~ 400
          GET /api/v1/notes HTTP/1.1| folded: b|| ~ 400
          GET /{LONG} HTTP/1.1|Host: localhost|| ~ 414
          GET / HTTP/1.1|Host: localhost|A: {LONG}|| ~ 431
          POST /api/v1/remember HTTP/1.1|Host: localhost|Content-Length: -1|| ~ 400
          NONSENSE /api/v1/notes HTTP/1.1|Host: localhost|| ~ 405
          TRACE / HTTP/1.1|Host: localhost|| ~ 405
          GET /api/v1/notes HTTP/1.1|| ~ 400
          """)
  @DisplayName("a refusal of the HTTP library has problem details and says that it closes")
  void refusalsAreProblems(String text, int status) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
      String request = text.replace("{LONG}", "x".repeat(20_000)).replace("|", "\r\n");
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 " + status);
      assertThat(answer).contains("application/problem+json").doesNotContainIgnoringCase("<html");
      JsonNode problem =
          Json.read(answer.substring(answer.indexOf("\r\n\r\n") + 4), JsonNode.class);
      assertThat(problem.path("status").asInt()).isEqualTo(status);
      assertThat(problem.path("code").asString()).startsWith("CALIBER_");
      assertThat(answer).contains("Caliber-Request-Id: " + problem.path("request_id").asString());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          GET / HTTP/9.9|Host: localhost||
          GET / HTTP/1.1|Host: localhost|A: {LONG}||
          GET /%zz HTTP/1.1|Host: localhost||
          """)
  @DisplayName("a refusal that ends the connection says so")
  void closingIsSaid(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
      String request = text.replace("{LONG}", "x".repeat(20_000)).replace("|", "\r\n");
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).contains("Connection: close");
    }
  }
}
