package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.HostileRequests.Hostile;
import dev.caliber.testkit.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Requests of an attacker who knows the contract. */
@Timeout(7200)
class RestHostileTest {
  private static final Logger LOG = LoggerFactory.getLogger(RestHostileTest.class);
  private static final int QUICK = 800;
  private static final Duration LONG =
      Duration.parse(System.getProperty("caliber.hostile", "PT10M"));
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int UNAVAILABLE = 503;
  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

  @TempDir Path directory;
  private final ContractDocument contract = new ContractDocument();
  private final HostileRequests hostile =
      new HostileRequests(contract, new SplittableRandom(Seed.VALUE));
  private final Map<Route, AssertionError> failures = new TreeMap<>();
  private final Map<Integer, Integer> answers = new TreeMap<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
    LOG.warn("Hostile requests: {}, by status: {}", sum(), answers);
  }

  private int sum() {
    return answers.values().stream().mapToInt(Integer::intValue).sum();
  }

  private void isStillWell() {
    assertThat(failures).isEmpty();
    assertThat(server.get("/spaces").status()).isEqualTo(200);
    assertThat(server.post("/remember", "{\"text\": \"Still here\"}").status()).isEqualTo(200);
    assertThat(server.post("/recall", "{\"query\": \"still\"}").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("ERR-08: hostile requests are refused, never failures, and the next right one works")
  void survivesAWhile() throws IOException, InterruptedException {
    for (int i = 0; i < QUICK; i++) {
      attack(hostile.next());
    }
    isStillWell();
  }

  @Test
  @Tag("long")
  @SystemAccess("it lasts ten minutes of this machine's time, or what -Dcaliber.hostile says")
  @DisplayName("ERR-08: ten minutes of hostile requests are refused, and the next right one works")
  void survivesTenMinutes() throws IOException, InterruptedException {
    for (long end = System.nanoTime() + LONG.toNanos(); System.nanoTime() < end; ) {
      attack(hostile.next());
    }
    isStillWell();
  }

  private void attack(Hostile asked) throws IOException, InterruptedException {
    if (BAD_ESCAPE.matcher(asked.path()).find()) {
      attackWithoutClient(asked);
      return;
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(asked.path()))
            .timeout(TIMEOUT)
            .method(
                asked.method(),
                asked.route().method().equals("GET")
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(asked.body()));
    asked.headers().forEach(request::header);
    if (asked.route().path().endsWith("/events") && asked.method().equals("GET")) {
      begin(asked, request);
      return;
    }
    HttpResponse<byte[]> answer = sent(request.build());
    answers.merge(answer.statusCode(), 1, Integer::sum);
    String body = text(answer);
    judge(asked, answer.statusCode(), body);
    if (answer.statusCode() == 200
        && !asked.method().equals("HEAD")
        && answer.headers().firstValue("Content-Type").orElse("").equals("application/json")) {
      hostile.learn(Json.read(body, JsonNode.class));
    }
  }

  /** Sends a path that no client library accepts. */
  private void attackWithoutClient(Hostile asked) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
      String head =
          "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
              .formatted(asked.method(), asked.path(), asked.body().length);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(asked.body());
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = Integer.parseInt(answer.split(" ", 3)[1]);
      answers.merge(status, 1, Integer::sum);
      judge(asked, status, answer.substring(answer.indexOf("\r\n\r\n")));
    } catch (SocketException closed) {
      assertThat(closed).hasMessageMatching(".*(reset|Broken pipe).*"); // closed early
    }
  }

  /** Sends a request, again if the server closes the connection of a refused one just then. */
  private HttpResponse<byte[]> sent(HttpRequest request) throws IOException, InterruptedException {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (HttpTimeoutException hangs) {
      throw hangs;
    } catch (IOException _) {
      return client.send(request, BodyHandlers.ofByteArray());
    }
  }

  private static String text(HttpResponse<byte[]> answer) throws IOException {
    boolean packed =
        answer.body().length > 0 // none after HEAD
            && answer.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
    try (InputStream plain =
        packed
            ? new GZIPInputStream(new ByteArrayInputStream(answer.body()))
            : new ByteArrayInputStream(answer.body())) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Reads only the beginning of a stream, which has no end. */
  private void begin(Hostile asked, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> begun = client.send(request.build(), BodyHandlers.ofInputStream());
    try (InputStream body = begun.body()) {
      answers.merge(begun.statusCode(), 1, Integer::sum);
      String first =
          begun.statusCode() == 200 ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
      judge(asked, begun.statusCode(), first);
    }
  }

  /** Records one failure per route, so that other routes are tested, too. */
  private void judge(Hostile asked, int status, String body) {
    try {
      check(asked, status, body);
    } catch (AssertionError e) {
      failures.putIfAbsent(asked.route(), e);
    }
  }

  private static void check(Hostile asked, int status, String body) {
    assertThat(status)
        .as(() -> asked.shown() + "\n" + body)
        .satisfiesAnyOf(
            found -> assertThat(found).isLessThan(500),
            found -> assertThat(found).isEqualTo(UNAVAILABLE));
    assertThat(body)
        .as(asked::shown)
        .doesNotContain("at dev.caliber", "at org.eclipse", "_INTERNAL", "Exception:");
    if (status >= 400 && body.startsWith("{") && !asked.path().contains("/health/")) {
      JsonNode problem = Json.read(body, JsonNode.class);
      assertThat(problem.path("code").asString("")).as(asked::shown).startsWith("CALIBER_");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "||",
        "GET",
        "GET /||",
        "GET / HTTP/9.9|Host: localhost||",
        "GET /%zz HTTP/1.1|Host: localhost||",
        "GET /%00 HTTP/1.1|Host: localhost||",
        "GET /%c0%ae%c0%ae/etc/passwd HTTP/1.1|Host: localhost||",
        "GET /../../etc/passwd HTTP/1.1|Host: localhost||",
        "GET /studio/..%2f..%2fserver.json HTTP/1.1|Host: localhost||",
        "GET http://evil.example/api/v1/spaces HTTP/1.1|Host: localhost||",
        "GET /api/v1/spaces HTTP/1.1||",
        "GET /api/v1/spaces HTTP/1.1|Host: localhost|Host: evil.example||",
        "GET /api/v1/notes?limit=%zz HTTP/1.1|Host: localhost||",
        "GET /api/v1/notes?limit=1&limit=%ff%fe HTTP/1.1|Host: localhost||",
        "GET /api/v1/notes HTTP/1.1|Host: localhost|A\u0000: b||",
        "GET /api/v1/notes HTTP/1.1|Host: localhost| folded: b||",
        "NONSENSE /api/v1/notes HTTP/1.1|Host: localhost||",
        "TRACE / HTTP/1.1|Host: localhost||",
        "CONNECT evil.example:443 HTTP/1.1|Host: localhost||",
        "OPTIONS * HTTP/1.1|Host: localhost||",
        "POST /api/v1/remember HTTP/1.1|Host: localhost|Content-Length: -1||",
        "POST /api/v1/remember HTTP/1.1|Host: localhost|Content-Length: 5|"
            + "Content-Length: 6||{}   ",
        "POST /api/v1/remember HTTP/1.1|Host: localhost|Content-Type: application/json|"
            + "Transfer-Encoding: chunked||zz|{}|0||",
        "POST /api/v1/remember HTTP/1.1|Host: localhost|Content-Type: application/json|"
            + "Content-Length: 2|Transfer-Encoding: chunked||0||",
        "POST /api/v1/dsl/compose HTTP/1.1|Host: localhost|Connection: close|"
            + "Content-Type: multipart/form-data; boundary=x|Content-Length: 10||--x|Cont",
        "POST /api/v1/bulk HTTP/1.1|Host: localhost|Connection: close|"
            + "Content-Type: application/x-ndjson|Content-Length: 9||nonsense|",
      })
  @DisplayName("ERR-08: malformed HTTP is refused or ignored, never a failure")
  void hardlyHttp(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
      String lines = text.replace("|", "\r\n");
      socket.getOutputStream().write(lines.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer)
          .doesNotContain("HTTP/1.1 500", "at dev.caliber", "at org.eclipse", "_INTERNAL", "root:");
    }
    isStillWell();
  }

  @Test
  @DisplayName("ERR-08: headers without end are refused")
  void hugeHeaders() throws IOException {
    for (String line : List.of("A: " + "x".repeat(1 << 20), "A: b\r\n".repeat(100_000) + "A: b")) {
      try (Socket socket =
          new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort())) {
        String head = "GET /api/v1/spaces HTTP/1.1\r\nHost: localhost\r\n" + line + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 431");
      } catch (SocketException closed) {
        assertThat(closed).hasMessageMatching(".*(reset|Broken pipe).*"); // closed early
      }
    }
    isStillWell();
  }
}
