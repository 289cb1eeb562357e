package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of commands that read and act through the server that holds the store. */
@Timeout(240)
@NullMarked
class AppBesideServerTest {
  private static final List<List<String>> LOOKING =
      List.of(
          List.of("agents", "list"),
          List.of("agents", "list", "--type", "coder"),
          List.of("leases", "list"),
          List.of("messages", "list", "--state", "dead"),
          List.of("pack", "list"),
          List.of("checkpoint", "list", "s1"),
          List.of("notes"),
          List.of("notes", "--entity", "alice", "--as-of", "2999-01-01"),
          List.of("turns", "s1"),
          List.of("turns", "s1", "--include", "rolled_back"),
          List.of("artifacts", "s1"),
          List.of("artifacts", "s1", "--live"),
          List.of("notes", "--type", "fact"),
          List.of("state", "s1"),
          List.of("validate", "s1"),
          List.of("lint", "s1"),
          List.of("cleanup"));

  @TempDir Path directory;

  private static String done(Ran ran) {
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out().strip();
  }

  private static JsonNode json(Ran ran) {
    return Json.read(done(ran), JsonNode.class);
  }

  private Map<List<String>, String> looked(Shell shell, List<List<String>> commands) {
    Map<List<String>, String> said = new LinkedHashMap<>();
    for (List<String> command : commands) {
      String[] line =
          java.util.stream.Stream.concat(command.stream(), java.util.stream.Stream.of("--json"))
              .toArray(String[]::new);
      said.put(command, done(shell.run(line)));
    }
    return said;
  }

  @Test
  @DisplayName(
      "commands read and act through the server that holds the store, with the same results")
  void throughTheServer() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    Path pack = Path.of(System.getProperty("caliber.root"), "lang/src/test/resources/pack_min");
    Map<List<String>, String> beside;
    try (ServerProcess server = ServerProcess.start(directory);
        CaliberClient client = CaliberClient.of(server.address())) {
      done(shell.run("remember", "Where is my tea?", "--session", "s1"));
      String point = json(shell.run("checkpoint", "save", "s1", "--json")).path("id").asString();
      done(shell.run("remember", "Forget that.", "--session", "s1"));
      assertThat(done(shell.run("recover", "s1"))).contains("Forget that.");
      assertThat(
              json(shell.run("recover", "s1", "--checkpoint", point, "--yes", "--json"))
                  .at("/done/turns"))
          .hasSize(1);
      assertThat(done(shell.run("checkpoint", "fork", point, "--goal", "Another way")))
          .startsWith("Trajectory ");
      assertThat(done(shell.run("trace", "s1"))).contains("checkpoint_recovered");
      assertThat(done(shell.run("spaces", "create", "team-a"))).contains("Created");
      assertThat(done(shell.run("spaces", "list"))).contains("team-a");
      packs(shell, pack);
      coordination(shell, client);
      var alive = CaliberClient.emptyObject();
      alive.putArray("agents").add("anna").add("ben");
      client.post("/agents/heartbeats", alive);
      beside = looked(shell, LOOKING);
      assertThat(shell.run("stats").err())
          .contains("STORE_IN_USE", "(server at " + server.address(), "Stop that server");
      assertThat(server.stop()).isEqualTo(143);
    }
    assertThat(looked(shell, LOOKING)).isEqualTo(beside);
    assertThat(beside.values()).anySatisfy(said -> assertThat(said).contains("anna"));
  }

  @Test
  @DisplayName(
      "OBS-04, OBS-07, PCP-22, STO-03: the state of a task, its artifacts and their origins")
  void looksAtWhatWasMade() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    List<List<String>> looking;
    Map<List<String>, String> beside;
    String old;
    String better;
    String note;
    try (ServerProcess server = ServerProcess.start(directory);
        CaliberClient client = CaliberClient.of(server.address())) {
      done(shell.run("remember", "Where is my tea?", "--session", "s1"));
      note = json(shell.run("remember", "Tea is hot.", "--json")).at("/note/id").asString();
      String task = client.get("/trajectories?session=s1").at("/items/0/id").asString();
      String scope = client.get("/trajectories/" + task + "/scopes").at("/items/0/id").asString();
      var many = CaliberClient.emptyObject();
      many.putArray("artifacts").addObject().put("type", "FACT").put("text", "It is cold.");
      old = client.post("/scopes/" + scope + "/artifacts", many).at("/items/0/id").asString();
      var one = CaliberClient.emptyObject().put("scope", scope);
      one.putObject("artifact").put("type", "FACT").put("text", "It is hot.");
      better = client.post("/artifacts/" + old + "/supersede", one).path("id").asString();
      looking =
          List.of(
              List.of("state", "s1"),
              List.of("artifacts", "s1"),
              List.of("artifacts", "s1", "--live"),
              List.of("lineage", old),
              List.of("history", note));
      beside = looked(shell, looking);
      assertThat(shell.run("lint", "--artifact", better).err()).contains("No issues found.");
      assertThat(server.stop()).isEqualTo(143);
    }
    assertThat(looked(shell, looking)).isEqualTo(beside);
    assertThat(done(shell.run("state", "s1"))).contains("active", "1 turns, 2 artifacts");
    assertThat(done(shell.run("artifacts", "s1"))).contains("superseded by " + better, "live");
    assertThat(done(shell.run("artifacts", "s1", "--live"))).contains(better).doesNotContain(old);
    assertThat(done(shell.run("lineage", better))).contains("Supersedes: " + old);
    assertThat(done(shell.run("lineage", old))).contains("Superseded by: " + better);
    assertThat(done(shell.run("history", note))).contains("Tea is hot.");
    assertThat(done(shell.run("lint", "--artifact", better))).contains("not_compared");
    for (String[] wrong :
        new String[][] {
          {"lint"}, {"lint", "s1", "--artifact", old}, {"lineage", "x"}, {"history", "x"}
        }) {
      assertThat(shell.run(wrong).code()).isEqualTo(ExitCode.USAGE.number());
    }
    assertThat(shell.run("artifacts", "01JD0000000000000000000000").code())
        .isEqualTo(ExitCode.NOT_FOUND.number());
  }

  private static void packs(Shell shell, Path pack) {
    String deploy = done(shell.run("pack", "deploy", pack.toString(), "--allow-unlocked"));
    assertThat(deploy).contains("Stored", "runs on it");
    JsonNode first = json(shell.run("pack", "list", "--json"));
    String name = first.path("name").asString();
    assertThat(done(shell.run("pack", "activate", name, "1"))).contains("already");
    assertThat(shell.run("pack", "rollback").code()).isNotZero();
  }

  /** Revokes a lease; a message becomes a dead letter, is revived, and becomes one again. */
  private static void coordination(Shell shell, CaliberClient client) {
    for (String name : List.of("anna", "ben")) {
      client.post("/agents", CaliberClient.emptyObject().put("agent", name).put("type", "coder"));
    }
    var wish = CaliberClient.emptyObject().put("agent", "anna").put("length", "1h");
    wish.putObject("resource").put("type", "file").put("id", "a");
    String lease = client.post("/leases", wish).at("/lease/id").asString();
    assertThat(done(shell.run("leases", "list"))).contains("file/a", "anna");
    assertThat(done(shell.run("leases", "revoke", lease))).contains("'anna' no longer holds");
    client.post("/leases", wish);
    var letter = CaliberClient.emptyObject().put("from", "anna").put("type", "hint");
    letter.putObject("to").put("agent", "ben");
    String message = client.post("/messages", letter).path("id").asString();
    die(client, message);
    assertThat(done(shell.run("messages", "list", "--state", "dead")))
        .contains(message, "anna", "ben");
    assertThat(done(shell.run("messages", "requeue", message))).contains("waits for ben again");
    assertThat(done(shell.run("messages", "list"))).contains(message);
    die(client, message);
    assertThat(done(shell.run("agents", "status"))).contains("dead letter");
    client.post("/agents", CaliberClient.emptyObject().put("agent", "cara").put("type", "coder"));
    wish.put("agent", "cara").putObject("resource").put("type", "file").put("id", "c");
    client.post("/leases", wish);
    assertThat(shell.run("agents", "unregister", "cara").err()).contains("AGENT_BUSY", "a lease");
    assertThat(done(shell.run("agents", "unregister", "cara", "--release-all")))
        .contains("is unregistered");
    assertThat(done(shell.run("agents", "list"))).doesNotContain("cara");
  }

  private static void die(CaliberClient client, String message) {
    var ben = CaliberClient.emptyObject().put("agent", "ben");
    JsonNode back = Json.mapper().missingNode();
    while (!back.at("/delivery/state").asString("").equals("DEAD")) {
      client.post("/agents/ben/receive", CaliberClient.emptyObject());
      back = client.post("/messages/%s/return".formatted(message), ben);
    }
  }
}
