package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.server.TestServer.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Authentication and permissions at {@code /mcp}. */
@Timeout(120)
@NullMarked
class McpSecurityTest {
  private static final List<String> READING =
      List.of(
          "recall",
          "assemble_context",
          "explain_window",
          "read_graph",
          "search_nodes",
          "open_nodes");

  @TempDir Path directory;
  private TestServer server;
  private McpCaller mcp;
  private String admin = "";

  /** Creates a key at a first start; after the second, every caller needs one. */
  @BeforeEach
  void start() {
    try (TestServer open = TestServer.start(directory)) {
      admin = open.post("/keys", "{\"name\": \"root\", \"right\": \"ADMIN\"}").text("secret");
      open.post("/spaces", "{\"space\": \"team-a\"}");
      open.post("/spaces", "{\"space\": \"team-b\"}");
    }
    server =
        TestServer.start(
            TestServer.setup(
                directory, TestServer.starter().with("server.require-api-key = 'always'")));
    mcp = new McpCaller(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String key(String body) {
    Reply made = server.send(as(TestServer.json(server.request("/keys"), body), admin));
    assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
    return made.text("secret");
  }

  private static HttpRequest.Builder as(HttpRequest.Builder request, String key) {
    return request.header("Authorization", "Bearer " + key);
  }

  private HttpRequest.Builder message(String method, String params) {
    ObjectNode given = (ObjectNode) Json.mapper().readTree(params);
    return TestServer.json(mcp.request(), McpCaller.message(method, given).toString());
  }

  private HttpRequest.Builder call(String tool, JsonNode arguments) {
    return message(
        "tools/call", "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments));
  }

  private HttpRequest.Builder remember() {
    return call("remember", Json.mapper().createObjectNode().put("text", "A secret of ours"));
  }

  @Test
  @DisplayName("DEP-02: no message is answered without a key of this server")
  void everyMessageAsksForAKey() {
    String revoked = key("{\"name\": \"old\", \"right\": \"ADMIN\"}");
    String id = revoked.split("_", -1)[1];
    server.send(as(TestServer.json(server.request("/keys/%s/revoke".formatted(id)), "{}"), admin));
    String changed = admin.substring(0, admin.length() - 1) + (admin.endsWith("A") ? "B" : "A");
    for (String method :
        List.of(
            "initialize",
            "ping",
            "server/discover",
            "tools/list",
            "tools/call",
            "resources/list",
            "subscriptions/listen")) {
      assertThat(server.send(message(method, "{}")).status()).as(method).isEqualTo(401);
      for (String wrong : List.of("nonsense", "cal_x_y", changed, revoked)) {
        assertThat(server.send(as(message(method, "{}"), wrong)).status())
            .as("%s with %s", method, wrong)
            .isEqualTo(401);
      }
    }
    assertThat(server.send(as(message("ping", "{}"), admin)).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("DEP-02: a key for one space gives no access to another")
  void aKeyIsForItsSpaces() {
    String ours = key("{\"name\": \"a\", \"right\": \"ADMIN\", \"spaces\": [\"team-a\"]}");
    String theirs = key("{\"name\": \"b\", \"right\": \"ADMIN\", \"spaces\": [\"team-b\"]}");
    Reply other = server.send(as(remember(), ours).header("Caliber-Space", "team-b"));
    assertThat(other.status()).isEqualTo(403);
    assertThat(other.text("code")).endsWith("SPACE_DENIED");
    assertThat(
            server.send(as(remember(), admin).header("Caliber-Space", "caliber.server")).status())
        .isEqualTo(403);
    String note =
        server.send(as(remember(), ours)).body().at("/result/structuredContent/note/id").asString();
    assertThat(note).isNotEmpty();
    Reply read =
        server.send(
            as(
                message("resources/read", "{\"uri\": \"caliber://notes/%s\"}".formatted(note)),
                theirs));
    assertThat(read.body().has("error")).isTrue();
    assertThat(read.body().toString()).doesNotContain("secret");
    for (String list : List.of("resources/list", "tools/list")) {
      assertThat(server.send(as(message(list, "{}"), theirs)).body().toString())
          .doesNotContain(note);
    }
  }

  @Test
  @DisplayName(
      "DEP-02: a read key calls the reading tools, and the others refuse it with the reason")
  void aReaderDoesNotWrite() {
    String reader = key("{\"name\": \"r\", \"right\": \"READ\"}");
    JsonNode tools =
        server.send(as(message("tools/list", "{}"), reader)).body().at("/result/tools");
    assertThat(tools).isNotEmpty();
    for (JsonNode tool : tools) {
      String name = tool.path("name").asString();
      JsonNode example = tool.at("/inputSchema/examples/0");
      Reply answer = server.send(as(call(name, example), reader));
      assertThat(answer.status()).as(name).isEqualTo(200);
      assertThat(answer.body().at("/result/content/0/text").asString().contains("RIGHT_MISSING"))
          .as(name)
          .isEqualTo(!READING.contains(name));
      if (!READING.contains(name)) {
        assertThat(answer.body().at("/result/isError").asBoolean()).as(name).isTrue();
      }
    }
    assertThat(server.send(as(server.request("/notes?believed=false"), admin)).body().path("items"))
        .isEmpty();
  }

  @Test
  @DisplayName(
      "DEP-02: a subscription to another space is refused, and one's own tells nothing of it")
  void aSubscriptionIsForItsSpace() throws IOException, InterruptedException {
    String ours = key("{\"name\": \"a\", \"right\": \"WRITE\", \"spaces\": [\"team-a\"]}");
    String theirs = key("{\"name\": \"b\", \"right\": \"WRITE\", \"spaces\": [\"team-b\"]}");
    assertThat(server.send(as(listening(), theirs).header("Caliber-Space", "team-a")).status())
        .isEqualTo(403);
    try (HttpClient client = HttpClient.newHttpClient()) {
      var stream = client.send(as(listening(), theirs).build(), BodyHandlers.ofInputStream());
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
        assertThat(next(lines)).contains("acknowledged");
        server.send(as(remember(), ours));
        String seen =
            server
                .send(as(remember(), theirs))
                .body()
                .at("/result/structuredContent/note/id")
                .asString();
        assertThat(seen).isNotEmpty();
        assertThat(next(lines)).contains("list_changed");
        server.close();
        assertThat(next(lines)).as("one change was told, and then the end").contains("complete");
      }
    }
  }

  private HttpRequest.Builder listening() {
    ObjectNode params = Json.mapper().createObjectNode();
    params.putObject("notifications").put("resourcesListChanged", true);
    ObjectNode declared = McpCaller.declaring(params, McpCaller.MODERN);
    return TestServer.json(
            mcp.request(), McpCaller.message("subscriptions/listen", declared).toString())
        .header("MCP-Protocol-Version", McpCaller.MODERN)
        .header("Mcp-Method", "subscriptions/listen");
  }

  private static String next(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("data: ")) {
        return line;
      }
    }
    throw new AssertionError("the stream ended");
  }
}
