package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Studio's files over HTTP, and the operations that only Studio uses. */
@Timeout(120)
class StudioFilesTest {
  @TempDir static Path directory;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server =
        TestServer.start(
            TestServer.setup(
                directory, TestServer.starter().with("server.require-api-key = 'always'")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Reply file(String path) {
    return server.send(HttpRequest.newBuilder(server.uri(path)).GET());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/studio/app.js", "/studio/studio.css", "/studio/icon.svg"})
  @DisplayName("files need no key and come with a policy that lets nothing in from elsewhere")
  void filesArePublicAndStrict(String path) {
    Reply reply = file(path);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .contains("require-trusted-types-for 'script'")
        .doesNotContain("unsafe");
    assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
    Reply again =
        server.send(
            HttpRequest.newBuilder(server.uri(path))
                .header("If-None-Match", reply.header("ETag"))
                .GET());
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.raw().body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/studio/nothing.js",
        "/studio/StudioFiles.class",
        "/studio/..%2fserver%2fsettings%2fstarter.toml",
        "/studio/.hidden.js"
      })
  @DisplayName("nothing but Studio's own files can be had from its directory")
  void nothingElseIsServed(String path) {
    assertThat(file(path).status()).isBetween(400, 404);
  }

  @Test
  @DisplayName("no page has a script or a style of its own, and none names another server")
  void thePageIsPlain() {
    String page = new String(file("/").raw().body(), StandardCharsets.UTF_8);
    assertThat(page).doesNotContain("<style", " style=", "onclick", "http://", "https://");
    assertThat(page.replaceAll("<script [^>]*src=\"/studio/[a-z-]+\\.js\"></script>", ""))
        .doesNotContain("<script");
  }

  @Test
  @DisplayName("a space is counted as it is, and its past step by step")
  void readings(@TempDir Path other) {
    try (TestServer open = TestServer.start(other)) {
      StudioSample.in(open);
      JsonNode overview = open.get("/overview").body();
      assertThat(overview.path("trajectories").path("ACTIVE").asInt()).isEqualTo(2);
      assertThat(overview.path("records").path("turn").asInt()).isEqualTo(4);
      assertThat(overview.path("records").path("note").asInt()).isEqualTo(3);
      assertThat(overview.path("messages").path("DEAD").asInt()).isEqualTo(1);
      assertThat(overview.path("jobs").path("DEAD").asInt()).isZero();
      JsonNode activity =
          open.get("/activity?from=2020-01-01T00:00:00Z&until=2100-01-01T00:00:00Z&steps=2").body();
      JsonNode first = activity.path("steps").get(0);
      assertThat(first.path("made").path("turn").asInt()).isEqualTo(4);
      assertThat(first.path("tokens_input").asInt()).isPositive();
      assertThat(first.path("tokens_output").asInt()).isPositive();
      assertThat(activity.path("steps").get(1).path("there").path("turn").asInt()).isEqualTo(4);
      assertThat(activity.path("complete").asBoolean()).isTrue();
    }
  }

  @Test
  @DisplayName("a period that does not end after it begins, or has too many steps, is refused")
  void nonsenseIsRefused(@TempDir Path other) {
    try (TestServer open = TestServer.start(other)) {
      String period = "/activity?from=2026-01-02T00:00:00Z&until=%s&steps=%d";
      assertThat(open.get(period.formatted("2026-01-01T00:00:00Z", 2)).status()).isEqualTo(400);
      assertThat(open.get(period.formatted("2026-01-03T00:00:00Z", 0)).status()).isEqualTo(400);
      assertThat(open.get(period.formatted("2026-01-03T00:00:00Z", 101)).text("code"))
          .isEqualTo("CALIBER_VALIDATION_LIMIT_EXCEEDED");
    }
  }

  @Test
  @DisplayName("a list of trajectories knows the turns that each of them has")
  void listsCountTurns(@TempDir Path other) {
    try (TestServer open = TestServer.start(other)) {
      StudioSample sample = StudioSample.in(open);
      JsonNode found =
          open.get("/trajectories?session=" + StudioPlaces.encoded(sample.session())).body();
      assertThat(found.path("items").get(0).path("counters").path("turns").asInt()).isEqualTo(4);
    }
  }
}
