package dev.caliber.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Json;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.grpc.GrpcJson;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.testkit.grpc.GrpcCaller;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two subjects share a space. Every operation of the contract is called for one of them, with the
 * ids and names of the other, and no answer or error quotes the other's records.
 */
@Timeout(600)
class SubjectBoundaryTest {
  private static final String UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  /** Operations that a call with a subject may use. All others refuse it. */
  private static final Set<String> FOR_SUBJECTS =
      Set.of(
          "annotate_window",
          "append_turns",
          "assemble",
          "checkpoint",
          "close_scope",
          "commit",
          "complete_trajectory",
          "create_artifacts",
          "diff_windows",
          "dose_window",
          "end_note",
          "explain_window",
          "fail_trajectory",
          "forget",
          "get_artifact",
          "get_note",
          "get_scope",
          "get_trajectory",
          "get_turn",
          "get_window",
          "lineage",
          "list_artifacts",
          "list_checkpoints",
          "list_notes",
          "list_scopes",
          "list_traces",
          "list_trajectories",
          "list_turns",
          "list_windows",
          "note_history",
          "open_scope",
          "recall",
          "remember",
          "replay_window",
          "resume_trajectory",
          "save_checkpoint",
          "start_trajectory",
          "story",
          "supersede_artifact",
          "supersede_note",
          "suspend_trajectory",
          "trajectory_state",
          "uncompact",
          "write_note");

  /** Operations that refuse a call with a subject: they tell of a whole space, or of agents. */
  private static final Set<String> NOT_FOR_SUBJECTS =
      Set.of(
          "acknowledge_message",
          "acquire_lease",
          "activate",
          "active_deployment",
          "activity",
          "await_lease",
          "await_messages",
          "beat",
          "briefing",
          "checkpoint_window",
          "clean_up",
          "compile_source",
          "compose_pack",
          "consolidate",
          "create_key",
          "create_webhook",
          "delegate",
          "delete_webhook",
          "deploy",
          "detect_conflicts",
          "fork",
          "get_agent",
          "get_conflict",
          "get_delegation",
          "get_handoff",
          "get_message",
          "hand_over",
          "inbox",
          "leave_queue",
          "lint_artifact",
          "lint_trajectory",
          "list_agents",
          "list_audit",
          "list_conflicts",
          "list_delegations",
          "list_deliveries",
          "list_deployments",
          "list_handoffs",
          "list_keys",
          "list_lease_waits",
          "list_leases",
          "list_messages",
          "list_spaces",
          "list_webhooks",
          "move_agent",
          "move_conflict",
          "move_delegation",
          "move_handoff",
          "overview",
          "parse_source",
          "promote",
          "receive_messages",
          "recover",
          "redeliver",
          "register_agent",
          "release_lease",
          "renew_lease",
          "report_conflict",
          "resolve_contradictions",
          "return_message",
          "revive_message",
          "revoke_key",
          "revoke_lease",
          "roll_back",
          "rollback_deployment",
          "run_policy",
          "search",
          "send_message",
          "standing",
          "test_webhook",
          "unregister_agent",
          "validate",
          "validate_source",
          "work_on",
          "create_space");

  /** What is asked with POST and only reads. */
  private static final Set<String> READING = Set.of("recall", "assemble", "search");

  private final ContractDocument contract = new ContractDocument();
  private final LeastRequests least = new LeastRequests(contract);
  @TempDir private Path directory;
  private TestServer server;
  private SubjectWorld alice;
  private SubjectWorld bob;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, unhurried().withGrpcAt(0)));
    alice = SubjectWorld.of(server, "alice");
    bob = SubjectWorld.of(server, "bob");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** As many requests as the test has. */
  private static ServerConfig unhurried() {
    ServerConfig starter = TestServer.starter();
    ServerConfig.Limits limits = starter.limits();
    return starter.withLimits(
        new ServerConfig.Limits(
            limits.body(),
            limits.requests(),
            limits.patience(),
            limits.idle(),
            limits.stop(),
            limits.page(),
            limits.hits(),
            limits.commit(),
            limits.streams(),
            100_000,
            10_000));
  }

  private Map<String, Route> routes() {
    Map<String, Route> routes = new TreeMap<>();
    for (Route route : contract.routes()) {
      String operation = contract.operation(route).path("x-caliber-operation").asString("");
      if (!operation.isEmpty()) {
        routes.put(order(route, operation) + operation + route.path(), route);
      }
    }
    return routes;
  }

  /** What only reads comes first, while everything is there. */
  private static String order(Route route, String operation) {
    boolean reading = route.method().equals("GET") || READING.contains(operation);
    return reading ? "1 " : "2 ";
  }

  private String operation(Route route) {
    return contract.operation(route).path("x-caliber-operation").asString();
  }

  private String bobsKey() {
    return server
        .post("/keys", "{\"name\": \"bob\", \"right\": \"WRITE\", \"subject\": \"bob\"}")
        .text("secret");
  }

  @Test
  @DisplayName("every operation of the contract has a line in the table of this test")
  void everyOperationIsKnown() {
    Set<String> known = new TreeSet<>(FOR_SUBJECTS);
    known.addAll(NOT_FOR_SUBJECTS);
    Set<String> asked = new TreeSet<>();
    routes().values().forEach(route -> asked.add(operation(route)));
    assertThat(asked).isSubsetOf(known);
  }

  @Test
  @DisplayName("a key of bob's reads nothing of alice's by REST, whatever it names")
  void boundKeyByRest() {
    String key = bobsKey();
    walk(request -> request.header("Authorization", "Bearer " + key));
  }

  @Test
  @DisplayName("a call that names bob reads nothing of alice's by REST")
  void namedSubjectByRest() {
    walk(request -> request.header("Caliber-Subject", "bob"));
  }

  private void walk(UnaryOperator<HttpRequest.Builder> caller) {
    List<String> leaks = new ArrayList<>();
    Set<String> served = new TreeSet<>();
    for (Route route : routes().values()) {
      for (ObjectNode input : inputs(route)) {
        Reply reply = server.send(caller.apply(request(route, input)));
        String text = new String(reply.raw().body(), UTF_8);
        if (alice.isQuotedIn(text)) {
          leaks.add(operation(route) + " " + input + " -> " + text);
        }
        if (reply.status() == 200 && bob.isQuotedIn(text)) {
          served.add(operation(route));
        }
        if (NOT_FOR_SUBJECTS.contains(operation(route))) {
          assertThat(reply.status()).as(operation(route)).isIn(400, 403, 422);
        }
      }
    }
    assertThat(leaks).isEmpty();
    assertThat(served).contains("recall", "assemble", "list_notes", "list_turns", "get_note");
  }

  @Test
  @DisplayName("the same walk without a subject finds alice's records, so that it would see a leak")
  void walkFindsRecords() {
    Set<String> quoting = new TreeSet<>();
    for (Route route : routes().values()) {
      if (order(route, operation(route)).startsWith("1")) {
        for (ObjectNode input : inputs(route)) {
          Reply reply = server.send(request(route, input));
          if (alice.isQuotedIn(new String(reply.raw().body(), UTF_8))) {
            quoting.add(operation(route));
          }
        }
      }
    }
    assertThat(quoting)
        .contains(
            "recall",
            "assemble",
            "get_note",
            "get_turn",
            "get_artifact",
            "get_trajectory",
            "get_window",
            "replay_window",
            "list_turns",
            "list_notes",
            "list_trajectories",
            "get_delegation",
            "uncompact");
  }

  @Test
  @DisplayName("a record of another subject is answered as one that does not exist")
  void unknownLikeOthers() {
    String key = bobsKey();
    for (Route route : routes().values()) {
      if (FOR_SUBJECTS.contains(operation(route)) && route.path().contains("{id}")) {
        for (String id : alice.ids()) {
          Reply other = ask(route, id, key);
          Reply unknown = ask(route, UNKNOWN, key);
          assertThat(other.status()).as(operation(route)).isEqualTo(unknown.status());
          assertThat(other.text("detail").replace(id, UNKNOWN))
              .as(operation(route))
              .isEqualTo(unknown.text("detail"));
        }
      }
    }
  }

  private Reply ask(Route route, String id, String key) {
    ObjectNode input = least(route);
    replaceIds(input, id);
    return server.send(request(route, input).header("Authorization", "Bearer " + key));
  }

  @Test
  @DisplayName("a call for bob reads nothing of alice's by gRPC")
  void byGrpc() {
    String key = bobsKey();
    List<String[]> callers =
        List.of(
            new String[] {"authorization", "Bearer " + key},
            new String[] {"caliber-subject", "bob"});
    try (GrpcCaller grpc = new GrpcCaller(server.server().grpcPort().orElseThrow())) {
      for (String[] headers : callers) {
        for (Route route : routes().values()) {
          for (ObjectNode input : inputs(route)) {
            String text = grpc(grpc, headers, operation(route), input);
            assertThat(alice.isQuotedIn(text)).as(operation(route) + input + text).isFalse();
          }
        }
      }
    }
  }

  private static String grpc(
      GrpcCaller caller, String[] headers, String operation, ObjectNode input) {
    StringBuilder method = new StringBuilder();
    for (String word : operation.split("_", -1)) {
      method.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    DynamicMessage request =
        GrpcJson.message(caller.method(method.toString()).getInputType(), input);
    try {
      return GrpcJson.json(caller.call(method.toString(), request, headers)).toString();
    } catch (StatusRuntimeException e) {
      return e.getStatus() + " " + e.getTrailers();
    }
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
    assertThat(bob.isQuotedIn(mcp(key, "tools/call", call("read_graph", "{}")))).isTrue();
    assertThat(alice.isQuotedIn(mcp("", "tools/call", call("read_graph", "{}")))).isTrue();
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
        .filter(tool -> !Set.of("lock", "inbox").contains(tool)) // they wait
        .toList();
  }

  private List<String> arguments(String tool) {
    List<String> all = new ArrayList<>();
    for (String id : alice.ids()) {
      all.add(
          switch (tool) {
            case "explain_context" -> "{\"window\": \"%s\"}".formatted(id);
            case "checkpoint", "recover" -> "{\"trajectory\": \"%s\"}".formatted(id);
            case "assemble_context" ->
                "{\"trajectory\": \"%s\", \"query\": \"secret\"}".formatted(id);
            case "forget" -> "{\"id\": \"%s\", \"dry_run\": true}".formatted(id);
            case "recall" -> "{\"query\": \"secret\"}";
            case "search_nodes" -> "{\"query\": \"secret\"}";
            case "open_nodes" -> "{\"names\": [\"alice\"]}";
            case "remember" ->
                "{\"text\": \"hello\", \"session\": \"%s\"}".formatted(alice.session());
            case "note" ->
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

  /** What an operation is called with: the ids and names of both, one property at a time. */
  private List<ObjectNode> inputs(Route route) {
    List<ObjectNode> inputs = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    List<String> ids = new ArrayList<>(alice.ids());
    ids.addAll(bob.ids());
    for (String id : ids) {
      ObjectNode base = least(route);
      replaceIds(base, id);
      add(inputs, seen, base);
      for (String property : optional(route)) {
        ObjectNode more = base.deepCopy();
        switch (property) {
          case "trajectory", "scope", "id", "parent", "window" -> more.put(property, id);
          case "session" -> more.put(property, alice.session());
          case "query" -> more.put(property, "secret");
          default -> {}
        }
        add(inputs, seen, more);
      }
    }
    return inputs;
  }

  private static void add(List<ObjectNode> inputs, Set<String> seen, ObjectNode input) {
    if (seen.add(input.toString())) {
      inputs.add(input);
    }
  }

  private List<String> optional(Route route) {
    List<String> names = new ArrayList<>();
    contract.resolved(contract.body(route)).path("properties").propertyNames().forEach(names::add);
    parameters(route).stream()
        .filter(one -> one.path("in").asString().equals("query"))
        .forEach(one -> names.add(one.path("name").asString()));
    return names;
  }

  private List<JsonNode> parameters(Route route) {
    return contract
        .operation(route)
        .path("parameters")
        .valueStream()
        .map(contract::resolved)
        .toList();
  }

  private ObjectNode least(Route route) {
    ObjectNode input =
        contract.body(route).isMissingNode() ? Json.mapper().createObjectNode() : least.body(route);
    for (JsonNode one : parameters(route)) {
      String name = one.path("name").asString();
      if (one.path("in").asString().equals("path")) {
        input.put(
            name,
            switch (name) {
              case "session" -> alice.session();
              case "agent" -> "agent-of-alice";
              default -> UNKNOWN;
            });
      } else if (one.path("in").asString().equals("query")
          && one.path("required").asBoolean(false)) {
        if (one.path("schema").path("type").asString("").equals("integer")) {
          input.put(name, 1);
        } else {
          input.put(name, name.equals("other") ? UNKNOWN : "agent-of-alice");
        }
      }
    }
    if (input.has("query")) {
      input.put("query", "secret");
    }
    return input;
  }

  private static void replaceIds(ObjectNode input, String id) {
    input
        .propertyStream()
        .filter(property -> property.getValue().asString("").equals(UNKNOWN))
        .toList()
        .forEach(property -> input.put(property.getKey(), id));
  }

  /** By the path, the query and the body, as the contract has them. */
  private HttpRequest.Builder request(Route route, ObjectNode input) {
    ObjectNode body = input.deepCopy();
    String path = route.path().substring(TestServer.BASE.length());
    List<String> query = new ArrayList<>();
    for (String name : List.copyOf(input.propertyNames())) {
      if (path.contains("{" + name + "}")) {
        path = path.replace("{" + name + "}", CaliberClient.encoded(body.remove(name).asString()));
      } else if (route.method().equals("GET")) {
        query.add(name + "=" + CaliberClient.encoded(body.remove(name).asString()));
      }
    }
    HttpRequest.Builder request =
        server.request(path + (query.isEmpty() ? "" : "?" + String.join("&", query)));
    return switch (route.method()) {
      case "GET" -> request.GET();
      case "DELETE" -> request.DELETE();
      default -> TestServer.json(request, body.toString());
    };
  }
}
