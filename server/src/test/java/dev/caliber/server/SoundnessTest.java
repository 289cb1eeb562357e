package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.ContextIntegrityConfig;
import dev.caliber.server.grpc.GrpcJson;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The validation of contexts, by every protocol. */
@Timeout(120)
@NullMarked
class SoundnessTest {
  @TempDir Path directory;

  private ServerSetup setup(ContextIntegrityConfig.ValidationMode validationMode) {
    ServerSetup plain = TestServer.setup(directory, TestServer.starter().withGrpcPort(0));
    return new ServerSetup(
        plain.store(),
        plain.search(),
        plain.models(),
        plain.memory(),
        plain
            .runtime()
            .with(
                "pcp.validation = '%s'"
                    .formatted(validationMode.name().toLowerCase(Locale.ROOT).replace('_', '-'))),
        plain.agents(),
        plain.server(),
        plain.environment(),
        plain.clock(),
        plain.chance());
  }

  /** Returns a task that states a fact without a source. */
  private static String task(TestServer server) {
    String task = server.post("/trajectories", "{\"goal\": \"Look\"}").text("id");
    String scope = server.post("/trajectories/%s/scopes".formatted(task), "{}").text("id");
    server.post(
        "/scopes/%s/artifacts".formatted(scope),
        "{\"artifacts\": [{\"type\": \"FACT\", \"text\": \"The sky is blue\"}]}");
    return task;
  }

  private static JsonNode grpc(ReflectionGrpcClient caller, String method, String input) {
    return GrpcJson.json(
        caller.call(
            method,
            GrpcJson.message(caller.method(method).getInputType(), Json.mapper().readTree(input))));
  }

  @Test
  @DisplayName("PCP-24, PCP-03: with always, every window has its validation findings")
  void everyWindowIsValidated() {
    try (TestServer server = TestServer.start(setup(ContextIntegrityConfig.ValidationMode.ALWAYS));
        ReflectionGrpcClient caller =
            new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      String wish = "{\"trajectory\": \"%s\"}".formatted(task(server));
      JsonNode plain = server.post("/context/assemble", wish).body();
      String dose = "/windows/%s/apply-limits".formatted(plain.at("/window/id").asString());
      for (JsonNode made :
          List.of(
              plain,
              server.post("/context/assemble", wish.replace("}", ", \"dosed\": true}")).body(),
              server.post("/context/assemble", wish.replace("}", ", \"dry_run\": true}")).body(),
              server.post(dose, "{}").body(),
              grpc(caller, "AssembleContext", wish),
              new McpCaller(server).answer("assemble_context", wish))) {
        assertThat(made.path("text").asString()).contains("The sky is blue");
        assertThat(made.at("/report/valid").asBoolean(true)).as(made.toString()).isFalse();
        assertThat(made.at("/report/issues").findValuesAsString("type")).contains("MISSING_SOURCE");
      }
    }
  }

  @Test
  @DisplayName("PCP-24: without always, a window is assembled and not looked at")
  void otherwiseNoneIs() {
    try (TestServer server =
        TestServer.start(setup(ContextIntegrityConfig.ValidationMode.ON_MUTATION))) {
      String task = task(server);
      JsonNode made =
          server.post("/context/assemble", "{\"trajectory\": \"%s\"}".formatted(task)).body();
      assertThat(made.has("report")).isFalse();
      String runs = "/trajectories/%s/trace?type=validation_run".formatted(task);
      assertThat(server.get(runs).body().path("events")).hasSize(1);
    }
  }

  @Test
  @DisplayName("REC-10, REC-11: a clean-up answers its six counts by REST and gRPC")
  void cleanUp() {
    List<String> counts =
        List.of(
            "trajectories_failed",
            "scopes_closed",
            "context_windows_deleted",
            "locks_released",
            "messages_deleted",
            "cache_entries_deleted");
    try (TestServer server =
            TestServer.start(setup(ContextIntegrityConfig.ValidationMode.ON_MUTATION));
        ReflectionGrpcClient caller =
            new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      for (JsonNode done :
          List.of(server.post("/cleanup", "{}").body(), grpc(caller, "RunCleanup", "{}"))) {
        assertThat(done.propertyNames()).containsExactlyInAnyOrderElementsOf(counts);
        counts.forEach(count -> assertThat(done.path(count).asLong(-1)).isZero());
      }
    }
  }

  @Test
  @DisplayName("a window is validated as one of its own trajectory only")
  void windowsOfOthers() {
    try (TestServer server =
        TestServer.start(setup(ContextIntegrityConfig.ValidationMode.ON_MUTATION))) {
      String task = task(server);
      String wish = "{\"trajectory\": \"%s\"}".formatted(task);
      String window = server.post("/context/assemble", wish).text("window", "id");
      String path = "/trajectories/%s/validation?window=%s";
      assertThat(server.get(path.formatted(task, window)).status()).isEqualTo(200);
      TestServer.Reply refused = server.get(path.formatted(task(server), window));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text("code")).isEqualTo("CALIBER_VALIDATION_WINDOW_OF_OTHER_TRAJECTORY");
    }
  }
}
