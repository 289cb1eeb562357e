package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HEAD returns the headers of GET, without the body. */
@Timeout(120)
class HeadMethodTest {
  /** Headers that differ per request or, without a body, describe only the connection. */
  private static final Set<String> OWN =
      Set.of("date", "caliber-request-id", "transfer-encoding", "content-length");

  @TempDir Path directory;

  private static List<String> paths() {
    Stream<String> declared =
        new ContractDocument()
            .routes().stream()
                .filter(route -> route.method().equals("GET") && !route.path().endsWith("/events"))
                .map(Route::path)
                .map(path -> path.replaceAll("\\{[a-z]+}", "01JD0000000000000000000000"));
    return Stream.concat(declared, Stream.of("/v1/models", "/nothing", "/studio/nothing.js"))
        .toList();
  }

  private static Reply ask(TestServer server, String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return server.send(request);
  }

  private static Map<String, List<String>> headers(Reply reply) {
    Map<String, List<String>> all = new TreeMap<>(reply.raw().headers().map());
    all.keySet().removeAll(OWN);
    return all;
  }

  private static void compare(TestServer server, String... headers) {
    for (String path : paths()) {
      Reply get = ask(server, "GET", path, headers);
      Reply head = ask(server, "HEAD", path, headers);
      assertThat(head.status()).as("HEAD %s", path).isEqualTo(get.status());
      assertThat(headers(head)).as("HEAD %s", path).isEqualTo(headers(get));
      assertThat(head.raw().body()).as("HEAD %s", path).isEmpty();
    }
  }

  @Test
  @DisplayName("HEAD has the status and the headers of GET on every route, open and with keys")
  void headIsGetWithoutBody() {
    try (TestServer server = TestServer.start(directory)) {
      compare(server);
      compare(server, "Accept", "application/x-ndjson");
    }
    try (TestServer server =
        TestServer.start(
            TestServer.setup(
                directory, TestServer.starter().with("server.require-api-key = 'always'")))) {
      compare(server);
      compare(server, "Authorization", "Bearer cal_01JD0000000000000000000000_x");
      assertThat(ask(server, "HEAD", "/api/v1/notes").status()).isEqualTo(401);
      assertThat(ask(server, "HEAD", "/api/v1/events").status()).isEqualTo(401);
    }
  }

  @Test
  @DisplayName("HEAD on the event stream answers and ends")
  void headOfAStreamEnds() {
    try (TestServer server = TestServer.start(directory)) {
      Reply head = ask(server, "HEAD", "/api/v1/events");
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("Content-Type")).startsWith("text/event-stream");
    }
  }
}
