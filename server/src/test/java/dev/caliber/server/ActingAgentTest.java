package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DynamicMessage;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A caller that acts as an agent is limited to that agent's permissions, by every protocol. */
@Timeout(180)
@NullMarked
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ActingAgentTest {
  private static final String DENIED = "CALIBER_AGENT_PERMISSION_DENIED";
  private static final String UNKNOWN = "CALIBER_AGENT_NOT_REGISTERED";
  private static final String OTHERS = "CALIBER_VALIDATION_AGENT_DENIED";
  private static final String RESERVED = "CALIBER_VALIDATION_SPACE_RESERVED";

  /** Operations that need no memory permission and name no agent. */
  private static final Set<String> FREE =
      Set.of(
          "list_agents",
          "get_agent",
          "record_heartbeats",
          "get_coordination_status",
          "list_leases",
          "list_lease_queue",
          "list_messages",
          "get_message",
          "list_delegations",
          "get_delegation",
          "list_handoffs",
          "get_handoff",
          "list_conflicts",
          "get_conflict",
          "get_overview",
          "get_activity",
          "list_spaces",
          "commit",
          "validate_source",
          "parse_source",
          "compile_source",
          "compose_pack",
          "list_deployments",
          "get_active_deployment");

  @TempDir static Path directory;
  private TestServer server;
  private ReflectionGrpcClient grpc;
  private final ContractDocument contract = new ContractDocument();
  private final LeastRequests least = new LeastRequests(contract);

  @BeforeAll
  void start() {
    ServerConfig config = TestServer.starter().withGrpcPort(0);
    server = TestServer.start(TestServer.setup(directory, config));
    grpc = new ReflectionGrpcClient(server.server().grpcPort().orElseThrow());
    done(server.post("/spaces", "{\"space\": \"team-b\"}"));
    register("none", "{}");
    register("notes", "{\"read\": [\"note\"], \"write\": [\"note\"]}");
    register("scribe", "{\"write\": [\"note\"]}");
    register("guest", "{\"read\": [\"note@team-b\"]}");
    register("all", "{\"read\": [\"*\"], \"write\": [\"*\"]}");
    register("writer", "{\"write\": [\"*\"]}");
    done(server.post("/remember", "{\"text\": \"Alice prefers green tea\"}"));
  }

  @AfterAll
  void stop() {
    grpc.close();
    server.close();
  }

  private void register(String agent, String access) {
    done(
        server.post(
            "/agents",
            "{\"agent\": \"%s\", \"type\": \"coder\", \"access\": %s}".formatted(agent, access)));
  }

  private static Reply done(Reply reply) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    return reply;
  }

  private static void refused(Reply reply, int status, String code) {
    assertThat(reply.text("code")).as(reply.body().toString()).isEqualTo(code);
    assertThat(reply.status()).isEqualTo(status);
  }

  private HttpRequest.Builder as(String agent, String path) {
    return server.request(path).header("Caliber-Agent", agent);
  }

  private Reply get(String agent, String path) {
    return server.send(as(agent, path).GET());
  }

  private Reply post(String agent, String path, String json) {
    return server.send(TestServer.json(as(agent, path), json));
  }

  private Reply recall(String agent, String types) {
    return post(agent, "/recall", "{\"query\": \"green tea\"%s}".formatted(types));
  }

  private List<String> traces() {
    return server
        .get("/traces?type=agent_command_rejected")
        .body()
        .path("items")
        .valueStream()
        .map(JsonNode::toString)
        .toList();
  }

  /** The newest trace comes first. */
  private void tracedOnce(List<String> before, String... words) {
    List<String> now = traces();
    assertThat(now.getFirst()).contains(words);
    assertThat(now.subList(1, now.size()))
        .startsWith(before.stream().limit(1).toArray(String[]::new));
  }

  private String state() {
    return Stream.of("/audit", "/notes", "/keys", "/agents")
        .map(path -> server.get(path).body().path("items"))
        .toList()
        .toString();
  }

  Stream<Route> routes() {
    return contract.routes().stream()
        .filter(route -> contract.operation(route).has("x-caliber-operation"));
  }

  @ParameterizedTest
  @MethodSource("routes")
  @DisplayName(
      "AGT-03: an agent without grants is refused every operation on memory and every operator's,"
          + " and that is written down")
  void withoutGrants(Route route) {
    String operation = contract.operation(route).path("x-caliber-operation").asString();
    List<String> before = traces();
    String state = state();
    Reply reply =
        route.method().equals("GET")
            ? get("none", least.path(route))
            : post("none", least.path(route), least.body(route).toString());
    if (FREE.contains(operation)) {
      assertThat(reply.text("code")).as(reply.body().toString()).isNotEqualTo(DENIED);
    } else {
      refused(reply, 403, DENIED);
      tracedOnce(before, "none", "PERMISSION_DENIED");
      assertThat(state()).isEqualTo(state);
    }
  }

  @Test
  @DisplayName("AGT-03: a grant for a kind of memory lets an agent do what is about that kind")
  void partlyGranted() {
    done(post("notes", "/remember", "{\"text\": \"Bob prefers black coffee\"}"));
    done(get("notes", "/notes"));
    assertThat(done(recall("notes", ", \"types\": [\"NOTE\"]")).body().path("hits")).isNotEmpty();
    done(recall("notes", ", \"types\": [\"FACT\"]"));
    done(post("notes", "/search", "{\"query\": \"tea\", \"tables\": [\"note\"]}"));
    refused(recall("notes", ""), 403, DENIED);
    refused(recall("notes", ", \"types\": [\"TURN\"]"), 403, DENIED);
    refused(post("notes", "/search", "{\"query\": \"tea\"}"), 403, DENIED);
    refused(post("notes", "/remember", "{\"text\": \"x\", \"session\": \"s\"}"), 403, DENIED);
    refused(get("notes", "/trajectories"), 403, DENIED);
    refused(post("notes", "/forget", "{\"about\": \"alice\"}"), 403, DENIED);
    assertThat(recall("notes", ", \"types\": [\"TURN\"]").text("fields", "resource"))
        .isEqualTo("turn");
  }

  @Test
  @DisplayName("AGT-03: an agent with all grants runs all operations on memory, and no others")
  void fullyGranted() {
    Reply said =
        done(post("all", "/remember", "{\"text\": \"Plan the trip\", \"session\": \"trip\"}"));
    done(recall("all", ""));
    done(get("all", "/traces"));
    done(post("all", "/context/assemble", "{\"session\": \"trip\", \"query\": \"tea\"}"));
    done(post("all", "/forget", "{\"id\": \"%s\"}".formatted(said.text("turn", "id"))));
    refused(post("all", "/keys", "{\"name\": \"x\", \"right\": \"ADMIN\"}"), 403, DENIED);
    refused(post("all", "/agents", "{\"agent\": \"all\", \"type\": \"coder\"}"), 403, DENIED);
  }

  @Test
  @DisplayName("a caller that may write and not read notes gets no content of others")
  void toldNothing() {
    done(
        server.post(
            "/notes",
            "{\"entity\": \"door\", \"entity_type\": \"thing\", \"type\": \"FACT\", \"content\": \"The door is open\"}"));
    Reply against =
        done(
            post(
                "scribe",
                "/remember",
                "{\"text\": \"The door is not open\", \"about\": \"door\"}"));
    assertThat(against.body().path("conflicts")).isEmpty();
    refused(get("scribe", "/notes"), 403, DENIED);
  }

  @Test
  @DisplayName("an agent speaks in no name but its own, and with no fence of another")
  void oneName() {
    String mail = "{\"from\": \"%s\", \"to\": {\"agent\": \"all\"}, \"type\": \"hint\"}";
    done(post("none", "/messages", mail.formatted("none")));
    refused(post("none", "/messages", mail.formatted("notes")), 403, DENIED);
    refused(get("none", "/agents/notes/inbox"), 403, DENIED);
    String fence =
        "{\"resource\": {\"type\": \"a\", \"id\": \"b\"}, \"token\": 1, \"agent\": \"all\"}";
    refused(
        post("notes", "/remember", "{\"text\": \"x\", \"fence\": %s}".formatted(fence)),
        403,
        DENIED);
  }

  @Test
  @DisplayName("AGT-03: in one commit each step needs its grants; one that lacks them undoes all")
  void oneCommit() {
    String commit =
        """
        {"operations": [
          {"operation": "remember", "input": {"text": "A note of a commit"}},
          {"operation": "start_trajectory", "input": {"goal": "Ship"}}]}
        """;
    String before = server.get("/notes").body().toString();
    List<String> traced = traces();
    Reply reply = post("notes", "/commit", commit);
    refused(reply, 403, DENIED);
    assertThat(reply.text("pointer")).isEqualTo("/operations/1/input");
    assertThat(server.get("/notes").body().toString()).isEqualTo(before);
    tracedOnce(traced, "notes", "start_trajectory");
    done(post("all", "/commit", commit));
  }

  @Test
  @DisplayName("AGT-03: a grant for another space holds there, and only there")
  void otherSpaces() {
    Reply there =
        server.send(as("default/guest", "/notes").header("Caliber-Space", "team-b").GET());
    done(there);
    refused(get("guest", "/notes"), 403, DENIED);
    refused(
        server.send(as("default/notes", "/notes").header("Caliber-Space", "team-b").GET()),
        403,
        DENIED);
    refused(
        server.send(as("guest", "/notes").header("Caliber-Space", "team-b").GET()), 404, UNKNOWN);
    String commit =
        "{\"operations\": [{\"operation\": \"remember\", \"input\": {\"text\": \"x\"}}]}";
    refused(
        server.send(
            TestServer.json(
                as("default/all", "/commit").header("Caliber-Space", "team-b"), commit)),
        403,
        DENIED);
  }

  @Test
  @DisplayName("an unregistered agent, and an invalid name, are refused")
  void unknownAgents() {
    List<String> traced = traces();
    refused(get("stranger", "/notes"), 404, UNKNOWN);
    tracedOnce(traced, "stranger", "NOT_REGISTERED");
    refused(get("no name", "/notes"), 400, "CALIBER_VALIDATION_INVALID_INPUT");
  }

  @Test
  @DisplayName("a key that is an agent's acts as that agent, also in a browser, and as no other")
  void keysOfAgents() {
    Reply made =
        done(
            server.post(
                "/keys",
                "{\"name\": \"bot\", \"right\": \"ADMIN\", \"spaces\": [\"default\"], \"agent\": \"notes\"}"));
    assertThat(made.text("key", "agent")).isEqualTo("notes");
    String key = "Bearer " + made.text("secret");
    done(server.send(server.request("/notes").header("Authorization", key).GET()));
    done(server.send(as("notes", "/notes").header("Authorization", key).GET()));
    refused(
        server.send(server.request("/trajectories").header("Authorization", key).GET()),
        403,
        DENIED);
    refused(
        server.send(
            TestServer.json(
                server.request("/keys").header("Authorization", key),
                "{\"name\": \"free\", \"right\": \"ADMIN\"}")),
        403,
        DENIED);
    refused(server.send(as("all", "/notes").header("Authorization", key).GET()), 403, OTHERS);
    Reply login = done(server.post("/login", "{\"key\": \"%s\"}".formatted(made.text("secret"))));
    String cookie = login.header("Set-Cookie").split(";", 2)[0];
    refused(
        server.send(server.request("/trajectories").header("Cookie", cookie).GET()), 403, DENIED);
    refused(
        server.post("/keys", "{\"name\": \"x\", \"right\": \"READ\", \"agent\": \"no name\"}"),
        400,
        "CALIBER_VALIDATION_INVALID_VALUE");
  }

  private Reply key(String agent, String spaces) {
    return server.post(
        "/keys",
        "{\"name\": \"k\", \"right\": \"ADMIN\", \"agent\": %s%s}".formatted(agent, spaces));
  }

  @Test
  @DisplayName(
      "a key is for one agent, of a space that its maker may enter and not the server's own")
  void oneAgentForAKey() {
    String wrong = "CALIBER_VALIDATION_INVALID_VALUE";
    refused(key("\"notes\"", ""), 400, wrong);
    refused(key("\"notes\"", ", \"spaces\": [\"default\", \"team-b\"]"), 400, wrong);
    refused(key("\"caliber.server/notes\"", ""), 403, RESERVED);
    refused(get("caliber.server/notes", "/notes"), 403, RESERVED);
    done(key("\"default/notes\"", ", \"spaces\": [\"team-b\"]"));
    String kept =
        done(server.post(
                "/keys", "{\"name\": \"b\", \"right\": \"ADMIN\", \"spaces\": [\"team-b\"]}"))
            .text("secret");
    String wish =
        "{\"name\": \"x\", \"right\": \"READ\", \"spaces\": [\"team-b\"], \"agent\": \"default/all\"}";
    Reply reply =
        server.send(
            TestServer.json(
                server.request("/keys").header("Authorization", "Bearer " + kept), wish));
    refused(reply, 403, "CALIBER_VALIDATION_SPACE_DENIED");
  }

  private Reply there(String agent, String path, String json) {
    return server.send(TestServer.json(as(agent, path).header("Caliber-Space", "team-b"), json));
  }

  @Test
  @DisplayName("an agent of one space does not speak for the one of the same name in another")
  void sameNameElsewhere() {
    String twin =
        "{\"agent\": \"twin\", \"type\": \"coder\", \"access\": {\"read\": [\"*@*\"], \"write\": [\"*@*\"]}}";
    done(server.post("/agents", twin));
    done(
        server.send(
            TestServer.json(server.request("/agents").header("Caliber-Space", "team-b"), twin)));
    String beat = "{\"agents\": [\"twin\"]}";
    String lease =
        "{\"agent\": \"twin\", \"resource\": {\"type\": \"file\", \"id\": \"a\"}, \"mode\": \"EXCLUSIVE\"}";
    String fenced =
        "{\"text\": \"x\", \"fence\": {\"resource\": {\"type\": \"file\", \"id\": \"a\"}, \"token\": 1, \"agent\": \"twin\"}}";
    refused(there("default/twin", "/agents/heartbeats", beat), 403, DENIED);
    refused(there("default/twin", "/leases", lease), 403, DENIED);
    refused(there("default/twin", "/remember", fenced), 403, DENIED);
    refused(
        server.send(
            as("default/twin", "/agents/twin/inbox").header("Caliber-Space", "team-b").GET()),
        403,
        DENIED);
    done(there("twin", "/agents/heartbeats", beat));
    done(there("default/twin", "/remember", "{\"text\": \"Twins share memory\"}"));
    assertThat(
            done(there("default/twin", "/trajectories", "{\"goal\": \"Visit\"}"))
                .text("initiator", "id"))
        .isEqualTo("default/twin");
  }

  @Test
  @DisplayName(
      "AGT-03: to write is not to read: what was there before is answered to readers alone")
  void writersAreNotAnsweredWhatWasThere() {
    String task = done(server.post("/trajectories", "{\"goal\": \"Secret goal\"}")).text("id");
    String scope =
        server
            .get("/trajectories/%s/scopes".formatted(task))
            .body()
            .path("items")
            .get(0)
            .path("id")
            .asString();
    String turns = "/scopes/%s/turns".formatted(scope);
    String named =
        "{\"turns\": [{\"role\": \"USER\", \"text\": \"%s\", \"external_id\": \"m-1\"}]}";
    done(server.post(turns, named.formatted("A secret")));
    refused(post("writer", turns, named.formatted("x")), 403, DENIED);
    done(post("writer", turns, "{\"turns\": [{\"role\": \"USER\", \"text\": \"Said\"}]}"));
    String artifacts = "{\"artifacts\": [{\"type\": \"FACT\", \"text\": \"It was shipped\"}]}";
    refused(post("writer", "/scopes/%s/artifacts".formatted(scope), artifacts), 403, DENIED);
    done(server.post("/scopes/%s/close".formatted(scope), "{}"));
    refused(post("writer", "/scopes/%s/close".formatted(scope), "{}"), 403, DENIED);
    for (String move : List.of("suspend", "resume", "complete", "fail", "consolidate")) {
      refused(post("writer", "/trajectories/%s/%s".formatted(task, move), "{}"), 403, DENIED);
    }
    String note =
        done(server.post("/remember", "{\"text\": \"The safe code is 1234\"}")).text("note", "id");
    refused(
        post("scribe", "/notes/%s/end".formatted(note), "{\"end\": \"2999-01-01T00:00:00Z\"}"),
        403,
        DENIED);
    done(post("notes", "/notes/%s/end".formatted(note), "{\"end\": \"2999-01-01T00:00:00Z\"}"));
  }

  @Test
  @DisplayName("a caller that may write and not read notes gets only its own content back")
  void ownWords() {
    String write =
        "{\"entity\": \"gate\", \"entity_type\": \"thing\", \"type\": \"FACT\", \"content\": \"The gate is green\"%s}";
    Reply first =
        done(server.post("/notes", write.formatted(", \"metadata\": {\"by\": \"writer\"}")));
    Reply merged = done(post("scribe", "/notes", write.formatted("")));
    assertThat(merged.text("id")).isEqualTo(first.text("id"));
    assertThat(merged.body().toString()).contains("The gate is green").doesNotContain("writer");
    assertThat(done(post("notes", "/notes", write.formatted(""))).body().toString())
        .contains("writer");
  }

  @Test
  @DisplayName("an answer that is kept for an idempotency key is kept for one agent")
  void keptForOneAgent() {
    String first = started("all");
    assertThat(started("all")).isEqualTo(first);
    assertThat(started("writer")).isNotEqualTo(first);
  }

  private String started(String agent) {
    HttpRequest.Builder request = as(agent, "/trajectories").header("Idempotency-Key", "same");
    return done(server.send(TestServer.json(request, "{\"goal\": \"Ship\"}"))).text("id");
  }

  @Test
  @DisplayName("AGT-02: a caller that acts as an unknown or failed agent is refused lists, too")
  void livingAgentsOnly() {
    refused(get("stranger", "/agents"), 404, UNKNOWN);
    refused(get("stranger", "/spaces"), 404, UNKNOWN);
    register("weak", "{}");
    done(get("weak", "/agents"));
    done(server.post("/agents/weak/transition", "{\"event\": \"FAIL\"}"));
    assertThat(get("weak", "/agents").text("code")).endsWith("AGENT_FAILED");
    assertThat(get("weak", "/agents/weak/inbox").text("code")).endsWith("AGENT_FAILED");
    done(post("weak", "/agents/heartbeats", "{\"agents\": [\"weak\"]}"));
    done(get("weak", "/agents"));
    done(server.post("/agents/weak/transition", "{\"event\": \"FAIL\"}"));
    done(post("weak", "/agents/weak/transition", "{\"event\": \"REST\"}"));
    done(get("weak", "/agents"));
  }

  @ParameterizedTest
  @CsvSource({"AGENT, all, 200", "SUBJECT, carol, 200", "AGENT, notes, 403"})
  @DisplayName("an agent starts a task in no other agent's name")
  void initiators(String type, String id, int status) {
    Reply reply =
        post(
            "all",
            "/trajectories",
            "{\"goal\": \"Ship\", \"initiator\": {\"type\": \"%s\", \"id\": \"%s\"}}"
                .formatted(type, id));
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "notes"})
  @DisplayName("AGT-03: gRPC names the agent in its metadata")
  void grpc(String agent) {
    DynamicMessage all = grpc.request("Recall", "query", "green tea");
    assertThatThrownBy(() -> grpc.call("Recall", all, "caliber-agent", agent))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
    assertThat(
            (List<?>)
                ReflectionGrpcClient.field(
                    grpc.call("Recall", all, "caliber-agent", "all"), "hits"))
        .isNotEmpty();
    if (agent.equals("notes")) {
      grpc.call(
          "Recall",
          grpc.request("Recall", "query", "green tea", "types", "NOTE"),
          "caliber-agent",
          agent);
    }
  }

  @Test
  @DisplayName("AGT-03: MCP takes the agent of the key, or of the header")
  void mcp() {
    String recall = "{\"query\": \"green tea\", \"types\": [\"NOTE\"]}";
    assertThat(tool("none", "recall", recall).toString()).contains(DENIED);
    assertThat(tool("none", "read_graph", "{}").toString()).contains(DENIED);
    assertThat(tool("none", "create_entities", "{\"entities\": []}").toString()).contains(DENIED);
    assertThat(tool("notes", "recall", recall).toString()).contains("green tea");
    assertThat(tool("notes", "delete_entities", "{\"entityNames\": []}").toString())
        .contains(DENIED);
    assertThat(tool("all", "delete_entities", "{\"entityNames\": []}").toString())
        .doesNotContain(DENIED);
    String key = done(key("\"default/none\"", "")).text("secret");
    Reply refused = server.send(message("recall", recall).header("Authorization", "Bearer " + key));
    assertThat(refused.body().toString()).contains(DENIED);
  }

  private JsonNode tool(String agent, String name, String arguments) {
    return server.send(message(name, arguments).header("Caliber-Agent", agent)).body();
  }

  private HttpRequest.Builder message(String tool, String arguments) {
    return TestServer.json(
        new McpCaller(server).request(),
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"%s\", \"arguments\": %s}}"
            .formatted(tool, arguments));
  }
}
