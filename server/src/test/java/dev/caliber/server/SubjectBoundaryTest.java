package dev.caliber.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.caliber.kernel.Json;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.grpc.GrpcJson;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two subjects share a space. Every operation of the contract is called for one of them, with the
 * ids and names of the other, and no answer or error quotes the other's records.
 */
@Timeout(600)
class SubjectBoundaryTest {
  /** Operations that a call with a subject may use. All others refuse it. */
  private static final Set<String> FOR_SUBJECTS =
      Set.of(
          "annotate_window",
          "append_turns",
          "assemble_context",
          "checkpoint",
          "close_scope",
          "commit",
          "complete_trajectory",
          "create_artifacts",
          "diff_windows",
          "apply_window_limits",
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
          "get_artifact_lineage",
          "list_artifacts",
          "list_checkpoints",
          "list_notes",
          "list_scopes",
          "list_trace_events",
          "list_trajectories",
          "list_turns",
          "list_windows",
          "get_note_history",
          "open_scope",
          "recall",
          "remember",
          "replay_window",
          "resume_trajectory",
          "save_checkpoint",
          "start_trajectory",
          "get_trajectory_trace",
          "supersede_artifact",
          "supersede_note",
          "suspend_trajectory",
          "get_trajectory_state",
          "list_summarized_turns",
          "write_note");

  /**
   * Operations that do not return a record of bob in the walk: its requests are minimal, and one
   * ends a trajectory before another writes to it. {@link SubjectOwnRecordsTest} covers each of
   * these with a suitable request.
   */
  private static final Set<String> ANSWERED_ELSEWHERE =
      Set.of(
          "annotate_window",
          "append_turns",
          "commit",
          "create_artifacts",
          "diff_windows",
          "fail_trajectory",
          "get_note_history",
          "open_scope",
          "resume_trajectory",
          "save_checkpoint",
          "supersede_artifact",
          "supersede_note",
          "suspend_trajectory");

  @TempDir private Path directory;
  private TestServer server;
  private SubjectWorld alice;
  private SubjectWorld bob;
  private SubjectRequests requests;

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, unhurried().withGrpcPort(0)));
    alice = SubjectWorld.of(server, "alice");
    bob = SubjectWorld.of(server, "bob");
    requests = new SubjectRequests(server, alice, bob);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Returns settings that allow all requests of the test. */
  static ServerConfig unhurried() {
    return TestServer.starter()
        .with("server.limits.burst = 100000", "server.limits.requests-per-second = 10000");
  }

  private String bobsKey() {
    return server
        .post("/keys", "{\"name\": \"bob\", \"right\": \"WRITE\", \"subject\": \"bob\"}")
        .text("secret");
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
    for (Route route : requests.routes()) {
      for (ObjectNode input : requests.inputs(route)) {
        Reply reply = server.send(caller.apply(requests.request(route, input)));
        String text = new String(reply.raw().body(), UTF_8);
        if (alice.isQuotedIn(text)) {
          leaks.add(requests.operation(route) + " " + input + " -> " + text);
        }
        if (reply.status() == 200 && bob.isNamedIn(text)) {
          served.add(requests.operation(route));
        }
        if (!FOR_SUBJECTS.contains(requests.operation(route))) {
          assertThat(reply.status()).as(requests.operation(route)).isIn(400, 403, 422);
        }
      }
    }
    assertThat(leaks).isEmpty();
    Set<String> silent = new TreeSet<>(FOR_SUBJECTS);
    silent.removeAll(served);
    assertThat(ANSWERED_ELSEWHERE).containsAll(silent);
    assertThat(alice.lost()).isEmpty();
  }

  @Test
  @DisplayName("no step of a commit for bob reads or changes anything of alice's")
  void stepsOfACommit() {
    String key = bobsKey();
    List<String> leaks = new ArrayList<>();
    Set<String> done = new TreeSet<>();
    for (Route route : requests.routes()) {
      for (ObjectNode input : requests.inputs(route)) {
        ObjectNode commit = Json.mapper().createObjectNode();
        commit
            .putArray("operations")
            .addObject()
            .put("operation", requests.operation(route))
            .set("input", input);
        Reply reply =
            server.send(
                TestServer.json(server.request("/commit"), commit.toString())
                    .header("Authorization", "Bearer " + key));
        if (alice.isQuotedIn(new String(reply.raw().body(), UTF_8))) {
          leaks.add(commit + " -> " + reply.body());
        }
        if (reply.status() == 200) {
          done.add(requests.operation(route));
        }
      }
    }
    assertThat(leaks).isEmpty();
    assertThat(done).isSubsetOf(FOR_SUBJECTS);
    assertThat(done)
        .contains("end_note", "remember", "start_trajectory", "write_note", "supersede_note");
    assertThat(alice.lost()).isEmpty();
    String next =
        server
            .post(
                "/remember", "{\"text\": \"next\", \"session\": \"%s\"}".formatted(alice.session()))
            .text("turn", "labels", "subject");
    assertThat(next).isEqualTo("alice");
  }

  @Test
  @DisplayName("sessions of two subjects stay apart for callers without a subject as well")
  void sessionsStayApart() {
    try (ReflectionGrpcClient grpc =
        new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      for (SubjectWorld own : List.of(alice, bob)) {
        SubjectWorld other = own == alice ? bob : alice;
        for (String session : List.of(own.session(), own.endedSession())) {
          ObjectNode asked =
              Json.mapper().createObjectNode().put("session", session).put("query", "The secret?");
          List<String> answers =
              List.of(
                  server.post("/recall", asked.toString()).body().toString(),
                  server.post("/context/assemble", asked.toString()).body().toString(),
                  grpc(grpc, new String[0], "recall", asked),
                  grpc(grpc, new String[0], "assemble_context", asked),
                  mcp("recall", asked),
                  mcp("assemble_context", asked));
          for (String answer : answers) {
            assertThat(own.isQuotedIn(answer)).as(answer).isTrue();
            assertThat(other.isQuotedIn(answer)).as(answer).isFalse();
          }
        }
      }
    }
  }

  private String mcp(String tool, ObjectNode arguments) {
    return new McpCaller(server)
        .legacy("tools/call", "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments))
        .body()
        .toString();
  }

  @Test
  @DisplayName("the same walk without a subject finds alice's records, so that it would see a leak")
  void walkFindsRecords() {
    Set<String> quoting = new TreeSet<>();
    for (Route route : requests.routes()) {
      if (requests.isReading(route)) {
        for (ObjectNode input : requests.inputs(route)) {
          Reply reply = server.send(requests.request(route, input));
          if (alice.isQuotedIn(new String(reply.raw().body(), UTF_8))) {
            quoting.add(requests.operation(route));
          }
        }
      }
    }
    assertThat(quoting)
        .contains(
            "recall",
            "assemble_context",
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
            "list_summarized_turns");
  }

  @Test
  @DisplayName("a record of another subject is answered as one that does not exist")
  void unknownLikeOthers() {
    String key = bobsKey();
    for (Route route : requests.routes()) {
      if (FOR_SUBJECTS.contains(requests.operation(route)) && route.path().contains("{id}")) {
        for (String id : alice.ids()) {
          Reply other = ask(route, id, key);
          Reply unknown = ask(route, SubjectRequests.UNKNOWN, key);
          assertThat(other.status()).as(requests.operation(route)).isEqualTo(unknown.status());
          assertThat(other.text("detail").replace(id, SubjectRequests.UNKNOWN))
              .as(requests.operation(route))
              .isEqualTo(unknown.text("detail"));
        }
      }
    }
  }

  private Reply ask(Route route, String id, String key) {
    ObjectNode input = requests.least(route);
    SubjectRequests.replaceIds(input, id);
    return server.send(requests.request(route, input).header("Authorization", "Bearer " + key));
  }

  @Test
  @DisplayName("a call for bob reads nothing of alice's by gRPC")
  void byGrpc() {
    String key = bobsKey();
    List<String[]> callers =
        List.of(
            new String[] {"authorization", "Bearer " + key},
            new String[] {"caliber-subject", "bob"});
    try (ReflectionGrpcClient grpc =
        new ReflectionGrpcClient(server.server().grpcPort().orElseThrow())) {
      for (String[] headers : callers) {
        for (Route route : requests.routes()) {
          for (ObjectNode input : requests.inputs(route)) {
            String text = grpc(grpc, headers, requests.operation(route), input);
            assertThat(alice.isQuotedIn(text))
                .as(requests.operation(route) + input + text)
                .isFalse();
          }
        }
      }
    }
    assertThat(alice.lost()).isEmpty();
  }

  private static String grpc(
      ReflectionGrpcClient caller, String[] headers, String operation, ObjectNode input) {
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
}
