package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.caliber.kernel.Json;
import dev.caliber.server.TestServer.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The Model Context Protocol over HTTP, in both of its revisions. */
class McpTest {
  @TempDir Path directory;
  private TestServer server;
  private McpCaller mcp;

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
    mcp = new McpCaller(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static int code(Reply reply) {
    return reply.body().path("error").path("code").asInt(0);
  }

  @Test
  @DisplayName("A client with a handshake is answered in its revision, without a session")
  void shakesHands() {
    Reply begun =
        mcp.legacy(
            "initialize",
            """
            {"protocolVersion": "2025-11-25", "capabilities": {},
             "clientInfo": {"name": "t", "version": "1"}}
            """);
    assertThat(begun.status()).isEqualTo(200);
    assertThat(begun.text("result", "protocolVersion")).isEqualTo("2025-11-25");
    assertThat(begun.text("result", "serverInfo", "name")).isEqualTo("caliber");
    assertThat(begun.header("Mcp-Session-Id")).isEmpty();
    Reply future = mcp.legacy("initialize", "{\"protocolVersion\": \"2999-01-01\"}");
    assertThat(future.text("result", "protocolVersion")).isEqualTo("2025-11-25");
    Reply told = mcp.raw("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
    assertThat(told.status()).isEqualTo(202);
    assertThat(mcp.legacy("ping", "{}").body().path("result").isObject()).isTrue();
    Reply unknown = mcp.legacy("no/such", "{}");
    assertThat(unknown.status()).isEqualTo(200);
    assertThat(code(unknown)).isEqualTo(-32601);
  }

  @Test
  @DisplayName("A client without a handshake discovers, lists and calls, each on its own")
  void isStateless() {
    Reply found = mcp.modern("server/discover", "{}");
    assertThat(found.status()).as(found.body().toString()).isEqualTo(200);
    assertThat(found.body().at("/result/supportedVersions/0").asString()).isEqualTo("2026-07-28");
    Reply list = mcp.modern("tools/list", "{}");
    assertThat(list.text("result", "resultType")).isEqualTo("complete");
    assertThat(list.text("result", "cacheScope")).isEqualTo("public");
    assertThat(list.body().at("/result/ttlMs").asLong()).isPositive();
    assertThat(list.body().path("result").path("_meta").has("io.modelcontextprotocol/serverInfo"))
        .isTrue();
    Reply called =
        mcp.modern(
            "tools/call", "{\"name\": \"remember\", \"arguments\": {\"text\": \"Tea is hot\"}}");
    assertThat(called.text("result", "structuredContent", "note", "content"))
        .isEqualTo("Tea is hot");
    Reply unknown = mcp.modern("no/such", "{}");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(code(unknown)).isEqualTo(-32601);
  }

  @Test
  @DisplayName("A parameter that is null is one that is not there")
  void nullIsNothing() {
    Reply graph = mcp.legacy("tools/call", "{\"name\": \"read_graph\", \"arguments\": null}");
    assertThat(graph.body().path("result").has("structuredContent")).isTrue();
    for (String list : List.of("tools/list", "prompts/list", "resources/list")) {
      assertThat(mcp.legacy(list, "{\"cursor\": null}").body().has("result")).as(list).isTrue();
    }
  }

  @Test
  @DisplayName("A list of resources shows of a long note how it begins")
  void titlesAreShort() {
    server.post("/remember", "{\"text\": \"%s\\nand more\"}".formatted("long ".repeat(100)));
    JsonNode notes =
        mcp.legacy("resources/list", "{\"cursor\": \"NOTES:\"}").body().at("/result/resources");
    assertThat(notes).hasSize(1);
    assertThat(notes.path(0).path("title").asString())
        .startsWith("long long")
        .endsWith("…")
        .hasSizeLessThan(110);
  }

  @Test
  @DisplayName("Headers that say something else than the body are refused")
  void holdsHeadersAgainstTheBody() {
    String list =
        McpCaller.message(
                "tools/list",
                McpCaller.declaring(Json.mapper().createObjectNode(), McpCaller.MODERN))
            .toString();
    Reply bare = mcp.raw(list);
    assertThat(bare.status()).isEqualTo(400);
    assertThat(code(bare)).isEqualTo(-32020);
    Reply other =
        server.send(
            TestServer.json(mcp.request(), list)
                .header("MCP-Protocol-Version", McpCaller.MODERN)
                .header("Mcp-Method", "tools/call"));
    assertThat(code(other)).isEqualTo(-32020);
    Reply version =
        server.send(
            TestServer.json(mcp.request(), list)
                .header("MCP-Protocol-Version", "2025-11-25")
                .header("Mcp-Method", "tools/list"));
    assertThat(code(version)).isEqualTo(-32020);
    ObjectNode call = Json.mapper().createObjectNode().put("name", "recall");
    Reply name =
        server.send(
            TestServer.json(
                    mcp.request(),
                    McpCaller.message("tools/call", McpCaller.declaring(call, McpCaller.MODERN))
                        .toString())
                .header("MCP-Protocol-Version", McpCaller.MODERN)
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", "forget"));
    assertThat(name.status()).isEqualTo(400);
    assertThat(code(name)).isEqualTo(-32020);
  }

  @Test
  @DisplayName("A revision that is not spoken here is refused with those that are")
  void refusesUnknownRevisions() {
    ObjectNode params = McpCaller.declaring(Json.mapper().createObjectNode(), "1900-01-01");
    Reply refused =
        server.send(
            TestServer.json(mcp.request(), McpCaller.message("tools/list", params).toString())
                .header("MCP-Protocol-Version", "1900-01-01")
                .header("Mcp-Method", "tools/list"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(code(refused)).isEqualTo(-32022);
    assertThat(refused.body().at("/error/data/supported/0").asString()).isEqualTo("2026-07-28");
    assertThat(refused.body().at("/error/data/requested").asString()).isEqualTo("1900-01-01");
    Reply header =
        server.send(
            TestServer.json(
                    mcp.request(),
                    McpCaller.message("tools/list", Json.mapper().createObjectNode()).toString())
                .header("MCP-Protocol-Version", McpCaller.MODERN)
                .header("Mcp-Method", "tools/list"));
    assertThat(header.status()).isEqualTo(400);
    assertThat(code(header)).isEqualTo(-32602);
  }

  @Test
  @DisplayName("What was remembered is recalled, assembled, explained and forgotten by tools")
  void worksByTools() {
    JsonNode said =
        mcp.answer("remember", "{\"text\": \"Where is my parcel?\", \"session\": \"t7\"}");
    String trajectory = said.at("/turn/trajectory").asString();
    mcp.answer("remember", "{\"text\": \"Alice prefers window seats\", \"subject\": \"alice\"}");
    JsonNode found = mcp.call("recall", "{\"query\": \"window seat\", \"subject\": \"alice\"}");
    assertThat(found.at("/content/0/text").asString()).contains("Alice prefers window seats");
    JsonNode none = mcp.call("recall", "{\"query\": \"a harbour\", \"min_similarity\": 0.99}");
    assertThat(none.at("/content/0/text").asString()).isEqualTo("Nothing was found.");
    JsonNode window = mcp.call("assemble_context", "{\"session\": \"t7\", \"max_tokens\": 500}");
    assertThat(window.at("/content/0/text").asString()).contains("Where is my parcel?");
    String id = window.at("/structuredContent/window/id").asString();
    assertThat(
            mcp.answer("explain_window", "{\"window\": \"%s\"}".formatted(id)).path("inclusions"))
        .isNotEmpty();
    String place = "{\"trajectory\": \"%s\"}".formatted(trajectory);
    assertThat(mcp.answer("checkpoint", place).path("id").asString()).isNotEmpty();
    String look = "{\"trajectory\": \"%s\", \"dry_run\": true}".formatted(trajectory);
    assertThat(mcp.answer("recover", look).path("done").has("new_scope")).isFalse();
    assertThat(mcp.answer("recover", place).at("/done/new_scope").asString()).isNotEmpty();
    String wrong =
        mcp.answer(
                "write_note",
                """
                {"entity": "tea", "entity_type": "drink", "type": "FACT", "content": "Tea is cold"}
                """)
            .path("id")
            .asString();
    JsonNode right =
        mcp.answer(
            "write_note",
            """
            {"entity": "tea", "entity_type": "drink", "type": "FACT", "content": "Tea is hot",
             "replaces": "%s"}
            """
                .formatted(wrong));
    assertThat(right.at("/supersedes/0").asString()).isEqualTo(wrong);
    assertThat(mcp.answer("forget", "{\"subject\": \"alice\"}").path("records")).hasSize(1);
    assertThat(
            mcp.call("recall", "{\"query\": \"x\", \"subject\": \"alice\", \"types\": [\"turn\"]}")
                .at("/content/0/text")
                .asString())
        .isEqualTo("Nothing was found.");
  }

  @Test
  @DisplayName("Agents lock, write messages and get errors by tools")
  void worksTogetherByTools() {
    String wish = "{\"agent\": \"%s\", \"resource\": {\"type\": \"file\", \"id\": \"a\"}}";
    assertThat(mcp.call("acquire_lease", wish.formatted("anna")).at("/content/0/text").asString())
        .contains("NOT_REGISTERED", "Register the agent in this space first");
    for (String name : new String[] {"anna", "ben"}) {
      mcp.answer("register_agent", "{\"agent\": \"%s\", \"type\": \"coder\"}".formatted(name));
    }
    JsonNode held = mcp.answer("acquire_lease", wish.formatted("anna"));
    assertThat(held.at("/lease/token").asLong()).isPositive();
    assertThat(mcp.answer("acquire_lease", wish.formatted("ben")).at("/behind/0").asString())
        .isEqualTo("anna");
    String back = "{\"agent\": \"%s\", \"lease\": \"%s\"}";
    String lease = held.at("/lease/id").asString();
    assertThat(
            mcp.call("release_lease", back.formatted("ben", lease))
                .at("/content/0/text")
                .asString())
        .contains("PERMISSION_DENIED");
    assertThat(
            mcp.answer("release_lease", back.formatted("anna", lease)).path("released").asBoolean())
        .isTrue();
    assertThat(mcp.answer("acquire_lease", wish.formatted("ben")).at("/lease/holder").asString())
        .isEqualTo("ben");
    mcp.answer(
        "send_message",
        "{\"from\": \"anna\", \"to\": {\"agent\": \"ben\"}, \"type\": \"hint\", \"payload\": \"Go\"}");
    JsonNode taken = mcp.answer("receive_messages", "{\"agent\": \"ben\", \"at_most\": \"5s\"}");
    assertThat(taken.at("/items/0/letter/payload").asString()).isEqualTo("Go");
    String id = taken.at("/items/0/id").asString();
    String done = "{\"agent\": \"ben\", \"done\": [\"%s\"]}".formatted(id);
    assertThat(mcp.answer("receive_messages", done).path("items")).isEmpty();
    assertThat(server.get("/messages/" + id).text("delivery", "state")).isEqualTo("ACKNOWLEDGED");
    assertThat(
            mcp.call("send_message", "{\"from\": \"anna\", \"to\": {}, \"type\": \"hint\"}")
                .at("/content/0/text")
                .asString())
        .contains("'send_message' takes: from (required)", "Example:");
  }

  @Test
  @DisplayName("Mistakes in arguments are results that say how to do it right")
  void correctsModels() {
    JsonNode misspelt = mcp.call("recall", "{\"qeury\": \"tea\"}");
    assertThat(misspelt.path("isError").asBoolean()).isTrue();
    assertThat(misspelt.at("/content/0/text").asString())
        .contains("Did you mean 'query'?", "'query' is missing", "Example: {\"query\"");
    assertThat(
            mcp.call("recall", "{\"query\": \"tea\", \"limit\": \"5\"}")
                .at("/content/0/text")
                .asString())
        .contains("'limit' has to be of type integer");
    assertThat(
            mcp.call("remember", "{\"text\": \"a\", \"type\": \"RUMOUR\"}")
                .at("/content/0/text")
                .asString())
        .contains("one of [\"CONVENTION\"");
    JsonNode refused = mcp.call("forget", "{}");
    assertThat(refused.path("isError").asBoolean()).isTrue();
    assertThat(refused.at("/content/0/text").asString()).contains("CALIBER_", "Example:");
    Reply unknown = mcp.modern("tools/call", "{\"name\": \"no_such\", \"arguments\": {}}");
    assertThat(code(unknown)).isEqualTo(-32602);
  }

  @Test
  @DisplayName("The nine tools of the reference memory server work as there, on notes")
  void replacesTheReferenceServer() {
    String ada =
        "{\"name\": \"Ada\", \"entityType\": \"person\", \"observations\": [\"Speaks Spanish\"]}";
    String firm = "{\"name\": \"Acme\", \"entityType\": \"firm\", \"observations\": []}";
    String works = "{\"from\": \"Ada\", \"to\": \"Acme\", \"relationType\": \"works_at\"}";
    String both = "{\"entities\": [%s, %s]}".formatted(ada, firm);
    assertThat(mcp.answer("create_entities", both).path("entities")).hasSize(2);
    assertThat(mcp.answer("create_entities", both).path("entities")).isEmpty();
    String relations = "{\"relations\": [%s]}".formatted(works);
    assertThat(mcp.answer("create_relations", relations).path("relations")).hasSize(1);
    assertThat(mcp.answer("create_relations", relations).path("relations")).isEmpty();
    JsonNode added =
        mcp.answer(
            "add_observations",
            """
            {"observations": [{"entityName": "Ada", "contents": ["Speaks Spanish", "Owns a cat"]}]}
            """);
    assertThat(added.at("/results/0/addedObservations").toString()).isEqualTo("[\"Owns a cat\"]");
    assertThat(
            mcp.call(
                    "add_observations",
                    "{\"observations\": [{\"entityName\": \"Bob\", \"contents\": [\"x\"]}]}")
                .at("/content/0/text")
                .asString())
        .contains("Entity with name Bob not found");
    assertThat(mcp.answer("read_graph", "{}").toString())
        .isEqualTo(
            "{\"entities\":[{\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":"
                + "[\"Speaks Spanish\",\"Owns a cat\"]},{\"name\":\"Acme\",\"entityType\":\"firm\","
                + "\"observations\":[]}],\"relations\":["
                + works.replace(": ", ":").replace(", ", ",")
                + "]}");
    assertThat(mcp.answer("search_nodes", "{\"query\": \"CAT\"}").path("entities")).hasSize(1);
    assertThat(mcp.answer("open_nodes", "{\"names\": [\"Acme\"]}").path("relations")).hasSize(1);
    mcp.answer(
        "delete_observations",
        "{\"deletions\": [{\"entityName\": \"Ada\", \"observations\": [\"Owns a cat\"]}]}");
    assertThat(mcp.answer("search_nodes", "{\"query\": \"cat\"}").path("entities")).isEmpty();
    mcp.answer("delete_entities", "{\"entityNames\": [\"Acme\"]}");
    assertThat(mcp.answer("read_graph", "{}").path("relations")).isEmpty();
    mcp.answer("create_relations", relations);
    JsonNode deleted = mcp.call("delete_relations", relations);
    assertThat(deleted.at("/content/0/text").asString())
        .isEqualTo("Relations deleted successfully");
    assertThat(mcp.answer("read_graph", "{}").path("relations")).isEmpty();
  }

  @Test
  @DisplayName("Every tool has a schema of its own, examples that fit it, and a fixed place")
  void describesItsTools() {
    JsonNode tools = mcp.modern("tools/list", "{}").body().at("/result/tools");
    assertThat(tools).hasSizeGreaterThanOrEqualTo(22);
    assertThat(mcp.modern("tools/list", "{}").body().at("/result/tools")).isEqualTo(tools);
    SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    for (JsonNode tool : tools) {
      assertThat(tool.path("description").asString()).isNotEmpty();
      assertThat(tool.path("outputSchema").path("type").asString()).isEqualTo("object");
      assertThat(tool.has("operation")).isFalse();
      JsonNode schema = tool.path("inputSchema");
      assertThat(schema.path("examples")).isNotEmpty();
      for (JsonNode example : schema.path("examples")) {
        List<Error> errors =
            registry
                .getSchema(schema.toString(), InputFormat.JSON)
                .validate(example.toString(), InputFormat.JSON);
        assertThat(errors).as(tool.path("name").asString()).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("Trajectories, notes and windows are resources")
  void readsResources() {
    String note = mcp.answer("remember", "{\"text\": \"Tea is hot\"}").at("/note/id").asString();
    mcp.answer("remember", "{\"text\": \"Hello\", \"session\": \"t1\"}");
    JsonNode first = mcp.modern("resources/list", "{}").body().path("result");
    assertThat(first.at("/resources/0/uri").asString()).isEqualTo("memory://knowledge-graph");
    assertThat(first.at("/resources/1/uri").asString()).startsWith("caliber://trajectories/");
    JsonNode second =
        mcp.modern(
                "resources/list",
                "{\"cursor\": \"%s\"}".formatted(first.path("nextCursor").asString()))
            .body()
            .path("result");
    assertThat(second.at("/resources/0/uri").asString()).isEqualTo("caliber://notes/" + note);
    assertThat(second.has("nextCursor")).isFalse();
    JsonNode read =
        mcp.modern("resources/read", "{\"uri\": \"caliber://notes/%s\"}".formatted(note)).body();
    assertThat(read.at("/result/contents/0/text").asString()).contains("Tea is hot");
    assertThat(mcp.modern("resources/templates/list", "{}").body().at("/result/resourceTemplates"))
        .hasSize(3);
    String nowhere = "{\"uri\": \"caliber://notes/01JD0000000000000000000000\"}";
    assertThat(code(mcp.modern("resources/read", nowhere))).isEqualTo(-32602);
    assertThat(code(mcp.legacy("resources/read", nowhere))).isEqualTo(-32002);
  }

  @Test
  @DisplayName("Prompts are those of the pack that the space runs on, with their inputs filled in")
  void promptsComeFromThePack() {
    assertThat(mcp.modern("prompts/list", "{}").body().at("/result/prompts")).isEmpty();
    assertThat(server.send(Samples.pack(server, "/dsl/deploy")).status()).isEqualTo(200);
    Reply list = mcp.modern("prompts/list", "{}");
    assertThat(list.body().at("/result/prompts/0/name").asString()).isEqualTo("support");
    assertThat(list.body().at("/result/prompts/0/arguments/0").toString())
        .isEqualTo("{\"name\":\"user_message\",\"required\":true}");
    assertThat(list.text("result", "cacheScope")).isEqualTo("private");
    String wanted =
        "{\"name\": \"support\", \"arguments\": {\"user_message\": \"Where is it? ${x}\"}}";
    for (Reply got :
        List.of(mcp.modern("prompts/get", wanted), mcp.legacy("prompts/get", wanted))) {
      JsonNode messages = got.body().at("/result/messages");
      assertThat(messages.at("/0/role").asString()).isEqualTo("user");
      assertThat(messages.at("/0/content/text").asString())
          .startsWith("You are the support agent for ")
          .doesNotContain("${");
      assertThat(messages.toString()).contains("Where is it? ${x}").doesNotContain("${INPUT");
    }
    assertThat(code(mcp.modern("prompts/get", "{\"name\": \"support\"}"))).isEqualTo(-32602);
    assertThat(code(mcp.modern("prompts/get", "{\"name\": \"unknown\"}"))).isEqualTo(-32602);
    assertThat(code(mcp.modern("prompts/list", "{\"cursor\": \"x\"}"))).isEqualTo(-32602);
  }

  @Test
  @DisplayName("A subscription is acknowledged and receives changes from the feed")
  void listens() throws IOException, InterruptedException {
    String note = mcp.answer("remember", "{\"text\": \"Tea is hot\"}").at("/note/id").asString();
    ObjectNode params = Json.mapper().createObjectNode();
    params
        .putObject("notifications")
        .put("toolsListChanged", true)
        .put("resourcesListChanged", true)
        .putArray("resourceSubscriptions")
        .add("caliber://notes/" + note);
    var request =
        TestServer.json(
                mcp.request(),
                McpCaller.message(
                        "subscriptions/listen", McpCaller.declaring(params, McpCaller.MODERN))
                    .toString())
            .header("MCP-Protocol-Version", McpCaller.MODERN)
            .header("Mcp-Method", "subscriptions/listen")
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      var stream = client.send(request, BodyHandlers.ofInputStream());
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
        JsonNode acknowledged = next(lines);
        assertThat(acknowledged.path("method").asString())
            .isEqualTo("notifications/subscriptions/acknowledged");
        assertThat(acknowledged.at("/params/notifications").has("toolsListChanged")).isFalse();
        mcp.answer("forget", "{\"id\": \"%s\"}".formatted(note));
        JsonNode updated = next(lines);
        assertThat(updated.at("/params/uri").asString()).isEqualTo("caliber://notes/" + note);
        assertThat(
                updated.at("/params/_meta").path("io.modelcontextprotocol/subscriptionId").asInt())
            .isEqualTo(1);
        assertThat(next(lines).path("method").asString())
            .isEqualTo("notifications/resources/list_changed");
        server.close();
        assertThat(next(lines).at("/result/resultType").asString()).isEqualTo("complete");
      }
    }
  }

  private static JsonNode next(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("data: ")) {
        return Json.mapper().readTree(line.substring("data: ".length()));
      }
    }
    throw new AssertionError("the stream ended");
  }

  @Test
  @DisplayName("The same names and keys are asked for as on every other path")
  void isGuarded() {
    Reply foreign =
        server.send(TestServer.json(mcp.request(), "{}").header("Origin", "http://evil.example"));
    assertThat(foreign.status()).isEqualTo(403);
    Reply badKey =
        server.send(TestServer.json(mcp.request(), "{}").header("Authorization", "Bearer cal_x_y"));
    assertThat(badKey.status()).isEqualTo(401);
    assertThat(server.send(mcp.request().GET()).status()).isEqualTo(405);
    assertThat(server.send(mcp.request().DELETE()).status()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "7",
        "\"x\"",
        "{}",
        "[{\"jsonrpc\": \"2.0\"}]",
        "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 5}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": []}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"id\": 2, \"method\": \"ping\"}"
      })
  @DisplayName("An invalid message is refused with a JSON-RPC code")
  void refusesMalformed(String body) {
    Reply refused = mcp.raw(body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(code(refused)).isIn(-32700, -32600);
  }

  @Test
  @DisplayName("A message that is too deep or too large is refused, and the next one is answered")
  void refusesHuge() {
    String deep = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {\"a\": ";
    assertThat(code(mcp.raw(deep + "[".repeat(100_000) + "]".repeat(100_000) + "}}")))
        .isEqualTo(-32700);
    String named = "{\"jsonrpc\": \"2.0\", \"id\": \"%s\", \"method\": \"ping\"}";
    assertThat(mcp.raw(named.formatted("i".repeat(1024))).status()).isEqualTo(200);
    assertThat(code(mcp.raw(named.formatted("i".repeat(1025))))).isEqualTo(-32600);
    assertThat(mcp.raw(deep + "\"" + "x".repeat(9 << 20) + "\"}}").status()).isEqualTo(413);
    assertThat(mcp.legacy("ping", "{}").status()).isEqualTo(200);
  }
}
