package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.models.ModelsConfig;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chat model summarises when a task ends, before the commit and never inside one. */
class ModelEndingTest {
  private static final String KEY_VARIABLE = "CHAT_KEY";
  private static final String SUMMARY =
      "{\"sentences\": [{\"text\": \"The model says so.\", \"passage\": 1}]}";

  private static final String STALE =
      "{\"fence\": {\"resource\": {\"type\": \"guard\", \"id\": \"x\"}, \"token\": 1}}";

  @Test
  @DisplayName("LLM-03, LIF-03: the model summarises the scopes that the end of a task closes")
  void theModelTellsWhatAnEndCloses(@TempDir Path directory) {
    try (StubModel model = new StubModel();
        TestServer server = TestServer.start(setup(directory, model))) {
      for (String end : List.of("complete", "fail")) {
        model.saying(SUMMARY);
        Task task = task(server);
        server.post("/trajectories/%s/%s".formatted(task.trajectory(), end), "{}");
        assertThat(method(server, task)).isEqualTo("model openai:m");
      }
      assertThat(model.seen()).hasSize(2);
    }
  }

  @Test
  @DisplayName("LLM-03: inside a commit of the caller's own no model is asked")
  void noModelIsAskedInsideACommit(@TempDir Path directory) {
    try (StubModel model = new StubModel();
        TestServer server = TestServer.start(setup(directory, model))) {
      Task task = task(server);
      server.post(
          "/commit",
          """
          {"operations": [{"operation": "complete_trajectory", "input": {"id": "%s"}}]}
          """
              .formatted(task.trajectory()));
      assertThat(method(server, task)).isEqualTo("extractive");
      assertThat(model.seen()).isEmpty();
    }
  }

  @Test
  @DisplayName("LLM-07: a request that is answered or refused already calls no model again")
  void aRetryAsksNoModel(@TempDir Path directory) {
    try (StubModel model = new StubModel();
        TestServer server = TestServer.start(setup(directory, model))) {
      model.saying(SUMMARY).saying(SUMMARY);
      Task task = task(server);
      String end = "/trajectories/%s/complete".formatted(task.trajectory());
      assertThat(server.send(ending(server, end).header("If-Match", "\"999\"")).status())
          .isEqualTo(412);
      assertThat(server.send(json(server, end, STALE)).status()).isEqualTo(409);
      assertThat(model.seen()).isEmpty();
      Supplier<TestServer.Reply> once =
          () -> server.send(ending(server, end).header("Idempotency-Key", "once"));
      assertThat(once.get().body()).isEqualTo(once.get().body());
      assertThat(model.seen()).hasSize(1);
    }
  }

  private static HttpRequest.Builder ending(TestServer server, String path) {
    return json(server, path, "{}");
  }

  private static HttpRequest.Builder json(TestServer server, String path, String body) {
    return TestServer.json(server.request(path), body);
  }

  private record Task(String trajectory, String scope) {}

  private static Task task(TestServer server) {
    String trajectory = server.post("/trajectories", "{\"goal\": \"Ship\"}").text("id");
    String scope =
        server
            .get("/trajectories/%s/scopes".formatted(trajectory))
            .body()
            .path("items")
            .path(0)
            .path("id")
            .asString();
    server.post(
        "/scopes/%s/turns".formatted(scope),
        "{\"turns\": [{\"role\": \"USER\", \"text\": \"The parser fails on tabs.\"}]}");
    return new Task(trajectory, scope);
  }

  private static String method(TestServer server, Task task) {
    return server.get("/scopes/" + task.scope()).text("summary", "method");
  }

  private static ServerSetup setup(Path directory, StubModel model) {
    ServerSetup plain = TestServer.setup(directory, TestServer.starter());
    ModelsConfig models =
        plain
            .models()
            .with(
                "models.chat.provider = 'openai'",
                "models.chat.endpoint = '%s'".formatted(model.endpoint()),
                "models.chat.model = 'm'",
                "models.chat.key-variable = '%s'".formatted(KEY_VARIABLE));
    return new ServerSetup(
        plain.store(),
        plain.search(),
        models,
        plain.memory(),
        plain.runtime(),
        plain.agents(),
        plain.server(),
        Map.of(KEY_VARIABLE, StubModel.KEY),
        plain.clock(),
        plain.chance());
  }
}
