package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every writing operation accepts a fence and respects it. */
@Timeout(180)
@NullMarked
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencesTest {
  private static final Caller CALLER =
      new Caller("", "tester", SpaceId.DEFAULT, AccessRight.ADMIN, List.of());

  /** The least input of each operation that is not in the contract. */
  private static final Map<String, String> UNLISTED =
      Map.of(
          "create_entities", "{\"entities\": []}",
          "create_relations", "{\"relations\": []}",
          "add_observations", "{\"observations\": []}",
          "delete_entities", "{\"entityNames\": []}",
          "delete_observations", "{\"deletions\": []}",
          "delete_relations", "{\"relations\": []}",
          "record_messages", "{\"messages\": []}");

  @TempDir static Path directory;
  private TestServer server;
  private OperationDispatcher operationDispatcher;
  private final ContractDocument contract = new ContractDocument();
  private final LeastRequests least = new LeastRequests(contract);
  private final Map<String, Route> routes = new TreeMap<>();
  private String stale = "";

  @BeforeAll
  void start() {
    server = TestServer.start(WebhookTest.setup(directory, 1));
    Wiring wiring = ((RunningServer) server.server()).wiring();
    operationDispatcher =
        OperationDispatcher.of(
            wiring.modules(), TestServer.starter(), RunningServer.additionalOperations(wiring));
    for (Route route : contract.routes()) {
      routes.put(contract.operation(route).path("x-caliber-operation").asString(""), route);
    }
    stale = fence("gone");
    String lease = server.get("/leases").body().path("items").path(0).path("id").asString();
    assertThat(server.post("/leases/%s/revoke".formatted(lease), "{}").status()).isEqualTo(200);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Returns the fence of a held lease without an agent, so that a refusal records nothing. */
  private String fence(String resource) {
    server.post("/agents", "{\"agent\": \"keeper\", \"type\": \"guard\"}");
    Reply held =
        server.post(
            "/leases",
            "{\"agent\": \"keeper\", \"length\": \"30m\", \"resource\": {\"type\": \"file\", \"id\": \"%s\"}}"
                .formatted(resource));
    return "{\"resource\": {\"type\": \"file\", \"id\": \"%s\"}, \"token\": %d}"
        .formatted(resource, held.body().path("lease").path("token").asLong());
  }

  Stream<String> writing() {
    return operationDispatcher.allOperations().stream()
        .filter(operation -> !operation.isReadOnly())
        .map(Operation::name);
  }

  @ParameterizedTest
  @MethodSource("writing")
  @DisplayName("every operation that writes is refused by a stale fence, and writes nothing")
  void staleFencesRefuseAll(String operation) {
    String before = state();
    if (routes.containsKey(operation)) {
      Route route = routes.get(operation);
      assertThat(contract.takesFence(route)).as(operation).isTrue();
      Reply refused = server.post(least.path(route), body(route).toString());
      assertThat(refused.text("code"))
          .as(refused.body().toString())
          .isEqualTo("CALIBER_AGENT_STALE_FENCE");
      assertThat(refused.status()).isEqualTo(409);
    } else {
      ObjectNode input = (ObjectNode) Json.mapper().readTree(UNLISTED.get(operation));
      input.set("fence", Json.mapper().readTree(stale));
      assertThatThrownBy(
              () -> operationDispatcher.run(CALLER, OperationRequest.of(operation, input)))
          .isInstanceOfSatisfying(
              CaliberException.class,
              e -> assertThat(e.code()).isEqualTo(AgentsErrorCode.STALE_FENCE));
    }
    assertThat(state()).isEqualTo(before);
  }

  /** Returns the audit log, which shows every change, with spaces, keys and webhooks. */
  private String state() {
    return Stream.of(
            "/audit", "/keys", "/spaces", "/webhooks", "/traces?type=agent_command_rejected")
        .map(path -> server.get(path).body().path("items"))
        .map(FencesTest::withoutPlaces)
        .toList()
        .toString();
  }

  /** Removes positions of the feed, which jobs change, too. */
  private static List<JsonNode> withoutPlaces(JsonNode items) {
    return items.valueStream().map(item -> item.has("space") ? item.path("space") : item).toList();
  }

  private ObjectNode body(Route route) {
    ObjectNode body = least.body(route);
    body.set("fence", Json.mapper().readTree(stale));
    return body;
  }

  @Test
  @DisplayName("an operation that only reads takes no fence")
  void readingTakesNone() {
    Reply refused = server.post("/recall", "{\"query\": \"x\", \"fence\": %s}".formatted(stale));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("pointer")).isEqualTo("/fence");
  }

  @Test
  @DisplayName("a live fence lets everything through that would be without it")
  void liveFencesLetThrough() {
    CheckedServer checked = CheckedServer.of(server).fencedBy(fence("gate"));
    new CoordinationCalls(checked).all();
    String task = checked.post("/trajectories", "{\"goal\": \"Ship\"}").text("id");
    String scope = checked.post("/trajectories/%s/scopes".formatted(task), "{}").text("id");
    checked.post("/scopes/%s/close".formatted(scope), "{}");
    String window =
        checked
            .post("/context/assemble", "{\"trajectory\": \"%s\", \"ttl\": \"1h\"}".formatted(task))
            .text("window", "id");
    checked.post("/windows/%s/apply-limits".formatted(window), "{}");
    for (int number : new int[] {1, 2}) {
      checked.post(
          "/dsl/deploy",
          "{\"name\": \"a\", \"source\": %s}".formatted(Samples.json(Samples.source(number))));
    }
    checked.post("/deployments/rollback", "{}");
    checked.post("/deployments/activate", "{\"name\": \"a\", \"version\": 2}");
    checked.post("/forget", "{\"id\": \"%s\"}".formatted(task));
    checked.post("/spaces", "{\"space\": \"team-b\"}");
    String key = checked.post("/keys", "{\"name\": \"ci\", \"right\": \"READ\"}").text("key", "id");
    checked.post("/keys/%s/revoke".formatted(key), "{}");
    assertThat(checked.faults()).isEmpty();
  }

  @Test
  @DisplayName("a lease lost during slow work is a conflict with its present holder")
  void lostTurnsAreConflicts() {
    String lost = fence("torn");
    JsonNode leases = server.get("/leases").body().path("items");
    String lease =
        leases
            .valueStream()
            .filter(one -> one.path("resource").path("id").asString().equals("torn"))
            .map(one -> one.path("id").asString())
            .findFirst()
            .orElseThrow();
    server.post("/leases/%s/revoke".formatted(lease), "{}");
    server.post("/agents", "{\"agent\": \"other\", \"type\": \"guard\"}");
    server.post(
        "/leases", "{\"agent\": \"other\", \"resource\": {\"type\": \"file\", \"id\": \"torn\"}}");
    Reply refused =
        server.post(
            "/forget",
            "{\"subject\": \"alice\", \"fence\": %s}"
                .formatted(lost.replace("}, \"token\"", "}, \"agent\": \"keeper\", \"token\"")));
    assertThat(refused.text("code")).isEqualTo("CALIBER_AGENT_STALE_FENCE");
    assertThat(server.get("/conflicts").body().path("items").toString())
        .contains("CONCURRENT_WRITE", "torn");
  }
}
