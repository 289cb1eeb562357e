package dev.caliber.server;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Agents that work together through a server. */
@Timeout(120)
@NullMarked
class CoordinationTest {
  private static final String FILE = "{\"type\": \"file\", \"id\": \"a.txt\"}";

  @TempDir Path directory;
  private TestServer server;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("caller-", 0).factory());

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
    for (String name : new String[] {"anna", "ben"}) {
      done(server.post("/agents", "{\"agent\": \"%s\", \"type\": \"coder\"}".formatted(name)));
    }
  }

  @AfterEach
  void stop() {
    threads.close();
    server.close();
  }

  private static Reply done(Reply reply) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    return reply;
  }

  private Reply lease(String agent, String more) {
    return server.post(
        "/leases", "{\"agent\": \"%s\", \"resource\": %s%s}".formatted(agent, FILE, more));
  }

  @Test
  @DisplayName("a stop answers calls that wait for messages and leases, as if they had timed out")
  void aStopWakesWhoWaits() throws Exception {
    done(lease("anna", ""));
    Future<Reply> mail =
        threads.submit(() -> server.post("/agents/ben/await", "{\"at_most\": \"30s\"}"));
    Future<Reply> turn =
        threads.submit(
            () ->
                server.post(
                    "/leases/await",
                    "{\"agent\": \"ben\", \"resource\": %s, \"at_most\": \"30s\"}"
                        .formatted(FILE)));
    String begun = "";
    while (!begun.contains("await_lease") || !begun.contains("await_messages")) {
      begun = server.get("/audit").body().toString();
    }
    server.server().close();
    assertThat(done(mail.get()).body().path("items")).isEmpty();
    assertThat(done(turn.get()).body().has("lease")).isFalse();
  }

  private static String fence(Reply held, String agent) {
    return "{\"resource\": %s, \"token\": %d, \"agent\": \"%s\"}"
        .formatted(FILE, held.body().path("lease").path("token").asLong(), agent);
  }

  private long notes() {
    return server.get("/notes").body().path("items").size();
  }

  @Test
  @DisplayName("a lock, a message, a note and a checkpoint are one commit through the server")
  void oneCommit() {
    String task = done(server.post("/trajectories", "{\"goal\": \"Mend it\"}")).text("id");
    Reply committed =
        done(
            server.post(
                "/commit",
                """
                {"operations": [
                  {"operation": "acquire_lease", "input": {"agent": "anna", "resource": %s}},
                  {"operation": "send_message", "input": {"from": "anna", "to": {"agent": "ben"}, "type": "hint", "payload": {"a": 1}}},
                  {"operation": "write_note", "input": {"entity": "build", "entity_type": "thing", "type": "FACT", "content": "The build is red"}},
                  {"operation": "save_checkpoint", "input": {"trajectory": "%s"}}]}
                """
                    .formatted(FILE, task)));
    long revision = committed.body().path("revision").asLong();
    assertThat(committed.body().path("results").path(0).path("lease").path("token").asLong())
        .isEqualTo(revision);
    assertThat(
            server.get("/agents/ben/inbox").body().path("items").path(0).path("sequence").asLong())
        .isEqualTo(revision);
  }

  @Test
  @DisplayName("a write under a lost lease is refused, in a commit and alone, and is a conflict")
  void staleFences() {
    Reply lost = done(lease("anna", ""));
    done(server.post("/leases/%s/revoke".formatted(lost.text("lease", "id")), "{}"));
    done(lease("ben", ""));
    String note = "{\"text\": \"Anna was here\", \"fence\": %s}".formatted(fence(lost, "anna"));
    for (Reply refused :
        new Reply[] {
          server.post("/remember", note),
          server.post(
              "/commit",
              "{\"operations\": [{\"operation\": \"remember\", \"input\": %s}]}".formatted(note)),
          server.post(
              "/commit",
              "{\"fence\": %s, \"operations\": [{\"operation\": \"remember\", \"input\": {\"text\": \"x\"}}]}"
                  .formatted(fence(lost, "anna")))
        }) {
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text("code")).isEqualTo("CALIBER_AGENT_STALE_FENCE");
    }
    assertThat(notes()).isZero();
    Reply conflicts = server.get("/conflicts?status=DETECTED");
    assertThat(conflicts.body().path("items").path(0).path("type").asString())
        .isEqualTo("CONCURRENT_WRITE");
  }

  @Test
  @DisplayName("a step with a lost lease, or a refused one, is recorded like a single request")
  void stepsLeaveTraces() {
    Reply lost = done(lease("anna", ""));
    done(server.post("/leases/%s/revoke".formatted(lost.text("lease", "id")), "{}"));
    done(lease("ben", ""));
    String other = FILE.replace("a.txt", "b.txt");
    Reply good =
        done(server.post("/leases", "{\"agent\": \"anna\", \"resource\": %s}".formatted(other)));
    Reply refused =
        server.post(
            "/commit",
            """
            {"fence": %s,
             "operations": [{"operation": "remember", "input": {"text": "x", "fence": %s}}]}
            """
                .formatted(fence(good, "anna").replace("a.txt", "b.txt"), fence(lost, "anna")));
    assertThat(refused.text("code")).isEqualTo("CALIBER_AGENT_STALE_FENCE");
    assertThat(refused.text("pointer")).startsWith("/operations/0/input");
    String conflicts = server.get("/conflicts?status=DETECTED").body().path("items").toString();
    assertThat(conflicts).contains("CONCURRENT_WRITE", "a.txt").doesNotContain("b.txt");
    String before = server.get("/traces").body().toString();
    Reply move =
        server.post(
            "/commit",
            "{\"operations\": [{\"operation\": \"transition_agent\", \"input\":"
                + " {\"agent\": \"stranger\", \"event\": \"ACTIVATE\"}}]}");
    assertThat(move.status()).as(move.body().toString()).isEqualTo(404);
    assertThat(server.get("/traces").body().toString()).isNotEqualTo(before).contains("stranger");
  }

  @Test
  @DisplayName("over MCP a note under a lock that was given back is not written")
  void toolsTakeFences() {
    McpCaller mcp = new McpCaller(server);
    JsonNode lease =
        mcp.answer("acquire_lease", "{\"agent\": \"anna\", \"resource\": %s}".formatted(FILE))
            .path("lease");
    String fence =
        "\"fence\": {\"resource\": %s, \"token\": %d, \"agent\": \"anna\"}"
            .formatted(FILE, lease.path("token").asLong());
    String note =
        "{\"entity\": \"a.txt\", \"entity_type\": \"file\", \"type\": \"FACT\","
            + " \"content\": \"%s\", %s%s}";
    JsonNode written = mcp.call("write_note", note.formatted("It is mine", fence, ""));
    assertThat(written.path("isError").asBoolean(false)).as(written.toString()).isFalse();
    String first = written.at("/structuredContent/id").asString();
    String replacing = ", \"replaces\": \"%s\"".formatted(first);
    JsonNode replaced =
        mcp.call("write_note", note.formatted("It is still mine", fence, replacing));
    assertThat(replaced.path("isError").asBoolean(false)).as(replaced.toString()).isFalse();
    mcp.call(
        "release_lease",
        "{\"agent\": \"anna\", \"lease\": \"%s\"}".formatted(lease.path("id").asString()));
    for (JsonNode late :
        new JsonNode[] {
          mcp.call("write_note", note.formatted("It was mine", fence, "")),
          mcp.call("remember", "{\"text\": \"It was mine\", %s}".formatted(fence)),
          mcp.call("delete_entities", "{\"entityNames\": [\"a.txt\"], %s}".formatted(fence)),
          mcp.call("forget", "{\"id\": \"%s\", %s}".formatted(first, fence))
        }) {
      assertThat(late.path("isError").asBoolean()).as(late.toString()).isTrue();
      assertThat(late.toString()).contains("STALE_FENCE");
    }
    assertThat(server.get("/notes").body().toString())
        .contains("It is still mine")
        .doesNotContain("It was mine");
  }

  @Test
  @DisplayName("lists of one call are as long as a page at most")
  void listsAreBounded() {
    String ids =
        Stream.generate(() -> "\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"").limit(101).collect(joining(","));
    assertThat(server.post("/agents/anna/receive", "{\"done\": [%s]}".formatted(ids)).status())
        .isEqualTo(422);
    assertThat(server.post("/agents/anna/await", "{\"done\": [%s]}".formatted(ids)).status())
        .isEqualTo(422);
    assertThat(beat(1000)).isEqualTo(200);
    assertThat(beat(1001)).isEqualTo(422);
  }

  private int beat(int agents) {
    String names = Stream.generate(() -> "\"anna\"").limit(agents).collect(joining(","));
    return server.post("/agents/heartbeats", "{\"agents\": [%s]}".formatted(names)).status();
  }

  @Test
  @DisplayName("STO-12, STO-13: what waits for an agent or a type comes whole, page by page")
  void waitingWork() {
    String task = done(server.post("/trajectories", "{\"goal\": \"Mend it\"}")).text("id");
    done(
        server.post(
            "/agents",
            "{\"agent\": \"anna\", \"type\": \"coder\", \"can_delegate_to\": [\"coder\"]}"));
    for (String to : new String[] {"{\"agent\": \"ben\"}", "{\"type\": \"coder\"}"}) {
      for (int i = 0; i < 3; i++) {
        done(
            server.post(
                "/messages", "{\"from\": \"anna\", \"to\": %s, \"type\": \"hint\"}".formatted(to)));
        done(
            server.post(
                "/delegations",
                "{\"delegator\": \"anna\", \"to\": %s, \"description\": \"Test\", \"trajectory\": \"%s\"}"
                    .formatted(to, task)));
      }
    }
    assertPaged("/agents/ben/inbox?", 6);
    assertPaged("/messages?type=coder&", 3);
    assertPaged("/delegations?acceptable_by=ben&", 6);
    assertPaged("/delegations?type=coder&", 3);
    assertThat(done(server.get("/handoffs?type=coder")).body().path("items")).isEmpty();
    for (String mixed :
        new String[] {
          "/delegations?acceptable_by=ben&status=PENDING",
          "/delegations?acceptable_by=ben&type=coder",
          "/delegations?type=coder&delegator=anna",
          "/handoffs?acceptable_by=ben&status=INITIATED",
          "/messages?type=coder&state=PENDING"
        }) {
      Reply refused = server.get(mixed);
      assertThat(refused.text("code")).as(mixed).isEqualTo("CALIBER_VALIDATION_INVALID_INPUT");
    }
    assertThat(server.get("/agents/ben/inbox?cursor=nothing").status()).isEqualTo(400);
  }

  /** Reads all records over pages of two, and as lines. */
  private void assertPaged(String path, int count) {
    List<String> ids = new ArrayList<>();
    Reply page = done(server.get(path + "limit=2"));
    page.body().path("items").forEach(one -> ids.add(one.path("id").asString()));
    while (page.body().has("next")) {
      page = done(server.get(path + "limit=2&cursor=" + page.text("next")));
      page.body().path("items").forEach(one -> ids.add(one.path("id").asString()));
    }
    assertThat(ids).as(path).hasSize(count).doesNotHaveDuplicates();
    Reply lines =
        server.send(
            server.request(path + "limit=2").header("Accept", "application/x-ndjson").GET());
    assertThat(new String(lines.raw().body(), StandardCharsets.UTF_8).lines()).hasSize(count);
  }

  @Test
  @DisplayName("a live fence lets only its holder write")
  void liveFences() {
    Reply held = done(lease("anna", ""));
    String note = "{\"text\": \"The file is %s\", \"fence\": %s}";
    done(server.post("/remember", note.formatted("mine", fence(held, "anna"))));
    Reply foreign = server.post("/remember", note.formatted("his", fence(held, "ben")));
    assertThat(foreign.status()).isEqualTo(403);
    assertThat(foreign.text("code")).isEqualTo("CALIBER_AGENT_PERMISSION_DENIED");
    assertThat(notes()).isEqualTo(1);
    Reply wrong = server.post("/remember", "{\"text\": \"x\", \"fence\": {\"token\": 1}}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.text("pointer")).startsWith("/fence");
    done(
        server.post(
            "/forget", "{\"subject\": \"a\", \"fence\": %s}".formatted(fence(held, "anna"))));
  }

  @Test
  @DisplayName("the next agent in the queue gets a released lease")
  void waitsForALease() throws Exception {
    Reply held = done(lease("anna", ""));
    assertThat(lease("ben", "").status()).isEqualTo(409);
    Future<Reply> waiting =
        threads.submit(
            () ->
                server.post(
                    "/leases/await",
                    "{\"agent\": \"ben\", \"resource\": %s, \"at_most\": \"30s\"}"
                        .formatted(FILE)));
    awaitWaiter();
    done(
        server.post(
            "/leases/%s/release".formatted(held.text("lease", "id")), "{\"agent\": \"anna\"}"));
    assertThat(done(waiting.get()).text("lease", "holder")).isEqualTo("ben");
  }

  private void awaitWaiter() {
    while (server.get("/leases/queue").body().path("items").isEmpty()) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("a call that waits for messages gets them, within the limit of the settings")
  void waitsForMail() throws Exception {
    Future<Reply> waiting =
        threads.submit(() -> server.post("/agents/ben/await", "{\"at_most\": \"30s\"}"));
    done(
        server.post(
            "/messages",
            "{\"from\": \"anna\", \"to\": {\"type\": \"coder\"}, \"type\": \"hint\", \"payload\": [1, 2]}"));
    assertThat(done(waiting.get()).body().path("items").path(0).path("letter").path("payload"))
        .hasSize(2);
    assertThat(server.post("/agents/ben/await", "{\"at_most\": \"1h\"}").status()).isEqualTo(400);
  }

  @Test
  @DisplayName("ERR-07: a refused request of an agent leaves a trace with the agent and the reason")
  void refusalsAreRecorded() {
    Reply refused = lease("stranger", "");
    assertThat(refused.text("code")).isEqualTo("CALIBER_AGENT_NOT_REGISTERED");
    assertThat(refused.text("fields", "agent")).isEqualTo("stranger");
    Reply traces = server.get("/traces?type=agent_command_rejected");
    assertThat(traces.body().path("items").path(0).path("detail").asString())
        .isEqualTo("AcquireLease NOT_REGISTERED");
  }

  @Test
  @DisplayName("REC-04: rolled-back records are listed only with include=rolled_back")
  void rolledBack() {
    done(
        server.post("/sessions/s/turns", "{\"turns\": [{\"role\": \"USER\", \"text\": \"One\"}]}"));
    String task =
        server.get("/trajectories?session=s").body().path("items").path(0).path("id").asString();
    done(server.post("/trajectories/%s/checkpoint".formatted(task), "{}"));
    done(
        server.post("/sessions/s/turns", "{\"turns\": [{\"role\": \"USER\", \"text\": \"Two\"}]}"));
    Reply would =
        done(server.post("/trajectories/%s/recover".formatted(task), "{\"dry_run\": true}"));
    assertThat(would.body().path("done").path("turns")).hasSize(1);
    assertThat(turns(task, "")).isEqualTo(2);
    done(server.post("/trajectories/%s/recover".formatted(task), "{}"));
    assertThat(turns(task, "")).isEqualTo(1);
    assertThat(turns(task, "?include=rolled_back")).isEqualTo(2);
    assertThat(server.get("/trajectories/%s/turns?include=all".formatted(task)).status())
        .isEqualTo(400);
  }

  private int turns(String task, String query) {
    return done(server.get("/trajectories/%s/turns%s".formatted(task, query)))
        .body()
        .path("items")
        .size();
  }

  @Test
  @DisplayName("metrics count agents, leases, queues, open work, refusals and jobs")
  void metrics() {
    String task = done(server.post("/trajectories", "{\"goal\": \"Mend it\"}")).text("id");
    done(
        server.post(
            "/agents",
            "{\"agent\": \"anna\", \"type\": \"coder\", \"can_delegate_to\": [\"coder\"]}"));
    done(server.post("/agents/anna/task", "{\"trajectory\": \"%s\"}".formatted(task)));
    done(
        server.post(
            "/delegations",
            "{\"delegator\": \"anna\", \"to\": {\"type\": \"coder\"}, \"description\": \"Do it\", \"trajectory\": \"%s\"}"
                .formatted(task)));
    done(
        server.post(
            "/handoffs",
            "{\"from\": \"anna\", \"to\": {\"agent\": \"ben\"}, \"trajectory\": \"%s\", \"notes\": \"Half\", \"reason\": \"Holiday\"}"
                .formatted(task)));
    done(
        server.post(
            "/conflicts",
            """
            {"agent": "anna", "type": "GOAL_CONFLICT", "about": "colour",
             "first": {"record": {"type": "AGENT", "id": "anna"}, "agent": "anna"},
             "second": {"record": {"type": "AGENT", "id": "ben"}, "agent": "ben"}}
            """));
    assertThat(lease("stranger", "").status()).isEqualTo(404);
    done(lease("anna", ""));
    done(lease("ben", ", \"queued\": true"));
    done(
        server.post(
            "/messages", "{\"from\": \"anna\", \"to\": {\"agent\": \"ben\"}, \"type\": \"hint\"}"));
    String text =
        new String(
            server
                .send(
                    HttpRequest.newBuilder(server.uri("/metrics"))
                        .timeout(Duration.ofSeconds(30))
                        .GET())
                .raw()
                .body(),
            StandardCharsets.UTF_8);
    assertThat(text)
        .contains("caliber_leases_held 1.0", "caliber_leases_queued 1.0")
        .contains("caliber_messages{state=\"pending\"} 1.0")
        .contains("caliber_jobs{state=\"dead\"} 0.0", "caliber_jobs_unhandled 0.0")
        .contains("caliber_agents{status=\"active\"} 1.0", "caliber_agents{status=\"idle\"} 1.0")
        .contains("caliber_delegations{status=\"pending\"} 1.0")
        .contains("caliber_delegations{status=\"in_progress\"} 0.0")
        .contains("caliber_handoffs_open 1.0")
        .contains("caliber_conflicts{status=\"detected\"} 1.0")
        .contains(
            "caliber_coordination_stuck{kind=\"lease_wait\"} 0.0",
            "caliber_coordination_stuck{kind=\"conflict\"} 0.0")
        .contains("caliber_agents_rejections_total{code=\"not_registered\"} 1.0")
        .contains("caliber_agents_rejections_total{code=\"stale_fence\"} 0.0");
  }
}
