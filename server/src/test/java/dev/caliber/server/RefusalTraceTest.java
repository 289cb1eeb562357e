package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

/** The server records each refusal of an agent, for every operation. */
@Timeout(180)
@NullMarked
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusalTraceTest {
  private static final String AGENTS = "CALIBER_AGENT_";
  private static final String RESOURCE = "{\"type\": \"file\", \"id\": \"a.txt\"}";

  @TempDir static Path directory;
  private TestServer server;
  private final ContractDocument contract = new ContractDocument();
  private final LeastRequests least = new LeastRequests(contract);
  private long token;

  @BeforeAll
  void start() {
    server = TestServer.start(TestServer.setup(directory, TestServer.starter()));
    for (String agent : List.of("holder", "other")) {
      server.post("/agents", "{\"agent\": \"%s\", \"type\": \"guard\"}".formatted(agent));
    }
    Reply held =
        server.post(
            "/leases",
            "{\"agent\": \"holder\", \"length\": \"30m\", \"resource\": %s}".formatted(RESOURCE));
    token = held.body().path("lease").path("token").asLong();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  Stream<Route> writing() {
    return contract.routes().stream().filter(contract::takesFence);
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

  private void tracedOnce(List<String> before, String... words) {
    List<String> now = traces();
    assertThat(now).isNotEmpty();
    assertThat(now.getFirst()).contains(words);
    assertThat(now.subList(1, now.size()))
        .startsWith(before.stream().limit(1).toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("writing")
  @DisplayName(
      "ERR-07: a fence of another agent, an unknown agent or a lost lease is refused and recorded")
  void fences(Route route) {
    assertFence(route, "other", token, "PERMISSION_DENIED");
    assertFence(route, "stranger", token, "NOT_REGISTERED");
    assertFence(route, "holder", token + 1, "STALE_FENCE");
  }

  private void assertFence(Route route, String agent, long number, String code) {
    List<String> before = traces();
    ObjectNode body = least.body(route);
    ObjectNode fence = body.putObject("fence").put("token", number).put("agent", agent);
    fence.set("resource", Json.mapper().readTree(RESOURCE));
    Reply refused = server.post(least.path(route), body.toString());
    assertThat(refused.text("code")).as(refused.body().toString()).isEqualTo(AGENTS + code);
    tracedOnce(before, code);
  }

  @Test
  @DisplayName("ERR-07: the refusal of a command of agents is recorded, for every caller")
  void commands() {
    Set<String> seen = new TreeSet<>();
    for (Route route : writing().toList()) {
      String operation = contract.operation(route).path("x-caliber-operation").asString();
      List<String> before = traces();
      Reply reply =
          operation.equals("register_agent") // its agent must not be registered
              ? server.get("/agents")
              : server.post(least.path(route), least.body(route).toString());
      if (reply.text("code").startsWith(AGENTS)) {
        tracedOnce(before, reply.text("code").substring(AGENTS.length()));
        seen.add(operation);
      }
    }
    assertThat(seen)
        .contains(
            "acquire_lease",
            "renew_lease",
            "release_lease",
            "revoke_lease",
            "leave_lease_queue",
            "await_lease",
            "send_message",
            "receive_messages",
            "await_messages",
            "acknowledge_message",
            "return_message",
            "requeue_message",
            "transition_agent",
            "assign_task",
            "unregister_agent",
            "create_delegation",
            "transition_delegation",
            "start_handoff",
            "transition_handoff",
            "report_conflict",
            "transition_conflict",
            "detect_conflicts");
  }
}
