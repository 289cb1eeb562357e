package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Json;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Text that is compared with every record has the limit of texts, in every protocol. */
@Timeout(120)
class QueryLimitsTest {
  private static final String LONG = "tea ".repeat(5000);

  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, TestServer.starter().withGrpcPort(0)));
    String turn = "{\"turns\": [{\"role\": \"USER\", \"text\": \"Green tea\"}]}";
    assertThat(server.post("/sessions/s1/turns", turn).status()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  record Asked(String path, Map<String, Object> input, String field, String limit) {}

  static List<Asked> tooMuch() {
    Map<String, String> tags =
        IntStream.range(0, 65).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
    List<String> many = IntStream.range(0, 501).mapToObj(i -> "s" + i).toList();
    String text = "memory.limits.text";
    return List.of(
        new Asked("/recall", Map.of("query", LONG), "query", text),
        new Asked("/search", Map.of("query", LONG), "query", text),
        new Asked("/recall", Map.of("query", "x", "about", LONG), "about", text),
        new Asked("/recall", Map.of("query", "x", "subjects", List.of(LONG)), "subjects", text),
        new Asked(
            "/recall",
            Map.of("query", "x", "metadata", tags),
            "metadata",
            "memory.limits.metadata"),
        new Asked(
            "/recall",
            Map.of("query", "x", "subjects", many),
            "subjects",
            "memory.limits.page-size"),
        new Asked("/recall", Map.of("query", "x", "subject", LONG), "subject", text),
        new Asked(
            "/context/assemble",
            Map.of("session", "s1", "query", "x".repeat(65_537)),
            "query",
            "memory.limits.note"),
        new Asked("/context/assemble", Map.of("session", "s1", "model", LONG), "model", text),
        new Asked(
            "/context/assemble",
            Map.of("session", "s1", "subjects", many),
            "subjects",
            "memory.limits.page-size"),
        new Asked("/forget", Map.of("about", LONG), "about", text),
        new Asked("/forget", Map.of("metadata", tags), "metadata", "memory.limits.metadata"));
  }

  @ParameterizedTest
  @MethodSource("tooMuch")
  @DisplayName("a query or filter over its limit gets 422 that names the field and the limit")
  void restRefuses(Asked asked) {
    Reply refused = server.post(asked.path(), Json.text(asked.input()));
    assertThat(refused.status()).as(asked.path()).isEqualTo(422);
    assertThat(refused.text("detail")).startsWith(asked.field() + ": ").contains(asked.limit());
    assertThat(refused.text("detail")).hasSizeLessThan(200);
  }

  @Test
  @DisplayName("a recall over the limit of texts is refused by gRPC")
  void grpcRefuses() {
    try (ReflectionGrpcClient client =
        new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      assertThatThrownBy(() -> client.call("Recall", client.request("Recall", "query", LONG)))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("query: expected at most")
          .hasMessageContaining("memory.limits.text");
    }
  }

  @Test
  @DisplayName("a recall and a search of the graph over the limit of texts are refused by MCP")
  void mcpRefuses() {
    McpCaller mcp = new McpCaller(server);
    for (String tool : List.of("recall", "search_nodes")) {
      String answer = mcp.call(tool, Json.text(Map.of("query", LONG))).toString();
      assertThat(answer)
          .contains("query: expected at most", "memory.limits.text", "\"isError\":true");
    }
  }
}
