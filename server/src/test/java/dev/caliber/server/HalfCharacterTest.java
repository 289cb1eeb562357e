package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** An unpaired surrogate cannot be stored, searched for or repeated. */
@Timeout(120)
class HalfCharacterTest {
  private static final String HALF = "\\ud800";

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
  @ValueSource(
      strings = {
        "/recall {'query': 'x', 'session': '%'} /session",
        "/forget {'session': '%'} /session",
        "/forget {'metadata': {'k': '%'}} /metadata/k",
        "/remember {'text': 'a %'} /text",
        "/search {'query': '%'} /query",
        "/commit {'operations': [{'operation': 'remember', 'input': {'text': '%'}}]} /operations/0/input/text",
        "/sessions/s1/turns {'turns': [{'role': 'USER', 'text': '%'}]} /turns/0/text",
        "/login {'key': '%'} /key",
        "/dsl/validate {'source': '%'} /source",
      })
  @DisplayName("REST refuses half a character in any field, and names the field")
  void restNamesTheField(String asked) {
    String[] parts = asked.replace('\'', '"').replace("%", HALF).split(" (?=[{/])", 3);
    String json = asked.substring(asked.indexOf('{'), asked.lastIndexOf('}') + 1);
    Reply refused = server.post(parts[0], json.replace('\'', '"').replace("%", HALF));
    assertThat(refused.status()).as(asked).isEqualTo(400);
    assertThat(refused.text("pointer")).isEqualTo(asked.substring(asked.lastIndexOf(' ') + 1));
  }

  @Test
  @DisplayName("a line of a bulk request with half a character is refused, and the next one is run")
  void bulkGoesOn() {
    Reply reply =
        server.send(
            TestServer.json(
                    server.request("/bulk"), // and its type:
                    "{\"operation\": \"%s\"}\n{\"operation\": \"remember\", \"input\": {\"text\": \"x\"}}\n"
                        .formatted(HALF))
                .setHeader("Content-Type", "application/x-ndjson"));
    List<String> lines =
        new String(reply.raw().body(), java.nio.charset.StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains("\"status\":400");
    assertThat(lines.get(1)).contains("\"status\":200");
  }

  @Test
  @DisplayName("no tool of MCP fails on half a character in any of its arguments")
  void toolsNameTheField() {
    McpCaller mcp = new McpCaller(server);
    for (JsonNode tool : mcp.legacy("tools/list", "{}").body().at("/result/tools")) {
      for (var argument : tool.at("/inputSchema/properties").properties()) {
        if (argument.getValue().path("type").asString("").equals("string")) {
          String name = argument.getKey();
          Reply reply =
              mcp.legacy(
                  "tools/call",
                  "{\"name\": \"%s\", \"arguments\": {\"%s\": \"%s\"}}"
                      .formatted(tool.path("name").asString(), name, HALF));
          assertThat(reply.status()).isEqualTo(200);
          assertThat(reply.body().at("/result/isError").asBoolean()).as(name).isTrue();
          assertThat(reply.body().toString()).contains("(at /" + name + ")");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\": \"2.0\", \"id\": \"\\ud800\", \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\\ud800\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"\\ud800\"}}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"resources/read\", \"params\": {\"uri\": \"\\ud800\"}}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"recall\", \"arguments\": {\"\\ud800\": 1}}}",
      })
  @DisplayName("a message of MCP with half a character is answered, never failed")
  void messagesAreAnswered(String message) {
    Reply reply = new McpCaller(server).raw(message);
    assertThat(reply.status()).isIn(200, 400);
    assertThat(reply.body().toString()).doesNotContain("-32603");
  }

  @Test
  @DisplayName("the proxy refuses half a character in the shape of OpenAI")
  void theProxyRefuses() {
    for (String path : List.of("/v1/embeddings", "/v1/chat/completions")) {
      Reply reply =
          server.send(
              TestServer.json(
                  HttpRequest.newBuilder(server.uri(path)), "{\"model\": \"%s\"}".formatted(HALF)));
      assertThat(reply.status()).isIn(400, 404);
      assertThat(Json.text(reply.body())).contains("\"error\"");
    }
  }
}
