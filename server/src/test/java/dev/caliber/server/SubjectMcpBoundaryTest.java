package dev.caliber.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Two subjects share a space; MCP answers to one of them quote nothing of the other. */
@Timeout(300)
class SubjectMcpBoundaryTest {
  @TempDir private Path directory;
  private TestServer server;
  private SubjectWorld alice;
  private SubjectWorld bob;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, SubjectBoundaryTest.unhurried()));
    alice = SubjectWorld.of(server, "alice");
    bob = SubjectWorld.of(server, "bob");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String bobsKey() {
    return server
        .post("/keys", "{\"name\": \"bob\", \"right\": \"WRITE\", \"subject\": \"bob\"}")
        .text("secret");
  }

  @Test
  @DisplayName("a call for bob reads nothing of alice's by MCP: tools, graph and resources")
  void byMcp() {
    String key = bobsKey();
    for (String tool : tools()) {
      for (String arguments : arguments(tool)) {
        assertSilent(tool + arguments, mcp(key, "tools/call", call(tool, arguments)));
        ObjectNode named = (ObjectNode) Json.mapper().readTree(arguments);
        named.put("subject", "bob");
        assertSilent(tool + named, mcp("", "tools/call", call(tool, named.toString())));
      }
    }
    String list = mcp(key, "resources/list", "{}");
    assertSilent("resources/list", list);
    assertThat(bob.isQuotedIn(mcp(key, "resources/list", "{\"cursor\": \"NOTES:\"}"))).isTrue();
    assertSilent("notes", mcp(key, "resources/list", "{\"cursor\": \"NOTES:\"}"));
    for (String id : alice.ids()) {
      for (String kind : List.of("notes", "trajectories", "windows")) {
        String uri = "{\"uri\": \"caliber://%s/%s\"}".formatted(kind, id);
        assertSilent(uri, mcp(key, "resources/read", uri));
      }
    }
    assertSilent("graph", mcp(key, "resources/read", "{\"uri\": \"memory://knowledge-graph\"}"));
    for (String prompts : List.of(mcp(key, "prompts/list", "{}"), prompt(key))) {
      assertSilent("prompts", prompts);
    }
    assertThat(alice.lost()).isEmpty();
    assertThat(bob.isQuotedIn(mcp(key, "tools/call", call("read_graph", "{}")))).isTrue();
    assertThat(alice.isQuotedIn(mcp("", "tools/call", call("read_graph", "{}")))).isTrue();
  }

  private String prompt(String key) {
    return mcp(key, "prompts/get", "{\"name\": \"%s\"}".formatted("agent-of-alice"));
  }

  private void assertSilent(String call, String answer) {
    assertThat(alice.isQuotedIn(answer)).as(call + " -> " + answer).isFalse();
  }

  private static String call(String tool, String arguments) {
    return "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments);
  }

  private List<String> tools() {
    return Json.mapper()
        .readTree(mcp("", "tools/list", "{}"))
        .at("/result/tools")
        .valueStream()
        .map(tool -> tool.path("name").asString())
        .filter(
            tool -> !Set.of("acquire_lease", "receive_messages").contains(tool)) // these tools wait
        .toList();
  }

  private List<String> arguments(String tool) {
    List<String> all = new ArrayList<>();
    for (String id : alice.ids()) {
      all.add(
          switch (tool) {
            case "explain_window" -> "{\"window\": \"%s\"}".formatted(id);
            case "checkpoint", "recover" -> "{\"trajectory\": \"%s\"}".formatted(id);
            case "assemble_context" ->
                "{\"trajectory\": \"%s\", \"query\": \"secret\"}".formatted(id);
            case "forget" -> "{\"id\": \"%s\", \"dry_run\": true}".formatted(id);
            case "recall" -> "{\"query\": \"secret\"}";
            case "search_nodes" -> "{\"query\": \"secret\"}";
            case "open_nodes" -> "{\"names\": [\"alice\"]}";
            case "remember" ->
                "{\"text\": \"hello\", \"session\": \"%s\"}".formatted(alice.session());
            case "write_note" ->
                "{\"entity\": \"e\", \"entity_type\": \"t\", \"type\": \"FACT\", \"content\": \"c\", \"replaces\": \"%s\"}"
                    .formatted(id);
            default -> "{}";
          });
    }
    return all;
  }

  private String mcp(String key, String method, String params) {
    ObjectNode message = McpCaller.message(method, (ObjectNode) Json.mapper().readTree(params));
    HttpRequest.Builder request =
        TestServer.json(HttpRequest.newBuilder(server.uri("/mcp")), message.toString());
    request.header("Accept", "application/json, text/event-stream");
    if (!key.isEmpty()) {
      request.header("Authorization", "Bearer " + key);
    }
    return new String(server.send(request).raw().body(), UTF_8);
  }
}
