package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.OperationResult;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests of the operations that a short process runs on a store that it holds itself. */
@NullMarked
class LocalOperationsTest {
  private static final String ACTOR = "anna";

  @TempDir Path directory;

  private ServerSetup setup() {
    return TestServer.setup(directory, TestServer.starter());
  }

  private static OperationRequest remember(String text) {
    return new OperationRequest(
        "remember",
        Json.mapper().createObjectNode().put("text", text),
        Optional.of("key-1"),
        Optional.empty());
  }

  private static JsonNode run(LocalOperations operations, String operation, ObjectNode input) {
    OperationRequest request = OperationRequest.of(operation, input);
    return Json.read(operations.run(SpaceId.DEFAULT, ACTOR, request).body(), JsonNode.class);
  }

  @Test
  @DisplayName("a request with a key is answered once, by short processes and a server alike")
  void answersOnce() {
    byte[] first;
    try (LocalOperations operations = LocalOperations.open(setup())) {
      first = operations.run(SpaceId.DEFAULT, ACTOR, remember("Tea is hot.")).body();
    }
    try (LocalOperations operations = LocalOperations.open(setup())) {
      OperationResult again = operations.run(SpaceId.DEFAULT, ACTOR, remember("Tea is hot."));
      assertThat(again.replayed()).isTrue();
      assertThat(again.body()).isEqualTo(first);
    }
    try (TestServer server = TestServer.start(setup())) {
      TestServer.Reply reply =
          server.send(
              TestServer.json(server.request("/remember"), "{\"text\":\"Tea is hot.\"}")
                  .header("Idempotency-Key", "key-1"));
      assertThat(reply.header("Idempotency-Replayed")).isEqualTo("true");
      assertThat(Json.bytes(reply.body())).isEqualTo(Json.bytes(Json.read(first, JsonNode.class)));
    }
  }

  @Test
  @DisplayName("a change of a short process has an audit entry with its actor")
  void audits() {
    try (LocalOperations operations = LocalOperations.open(setup())) {
      ObjectNode none = Json.mapper().createObjectNode();
      run(operations, "remember", Json.mapper().createObjectNode().put("text", "Tea is hot."));
      JsonNode entry = run(operations, "list_audit_entries", none).at("/items/0");
      assertThat(entry.path("operation").asString()).isEqualTo("remember");
      assertThat(entry.path("actor").asString()).isEqualTo(ACTOR);
    }
  }
}
