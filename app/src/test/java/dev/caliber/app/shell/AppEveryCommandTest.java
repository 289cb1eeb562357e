package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.Main;
import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.RandomSource;
import dev.caliber.testkit.ManualClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every command that runs operations, on two copies of one store: one is held by a server, the
 * other by the command itself.
 */
@Timeout(300)
@NullMarked
class AppEveryCommandTest {
  /** Commands without operations: they need the store's files, or no store at all. */
  private static final Set<String> WITHOUT_OPERATIONS =
      Set.of(
          "demo",
          "demo-writer",
          "init",
          "serve",
          "mcp",
          "connect",
          "help",
          "version",
          "config check",
          "config list",
          "config show",
          "dsl check",
          "dsl fmt",
          "dsl grammar",
          "pack validate",
          "pack compose",
          "pack diff",
          "pack lock",
          "pack schema",
          "stats",
          "feed tail",
          "jobs list",
          "jobs retry",
          "index status",
          "index embed",
          "index check",
          "index rebuild",
          "index migrate",
          "backup",
          "restore",
          "export",
          "import",
          "doctor",
          "compact");

  /** Command lines, in this order; a name in braces is the id of a record that the store has. */
  private static final List<List<String>> LINES =
      List.of(
          List.of("remember", "Tea is cold.", "--subject", "alice", "--json"),
          List.of("remember", "Tea is cold.", "--subject", "alice"),
          List.of("remember", "I like green tea.", "--session", "s1", "--role", "user"),
          List.of("remember", "x", "--type", "wrong"),
          List.of("remember", "x", "--role", "user"),
          List.of("recall", "tea", "--limit", "2", "--json"),
          List.of("recall", "coffee", "--as-of", "2999-01-01", "--json"),
          List.of("recall", "tea", "--session", "absent"),
          List.of("notes"),
          List.of("notes", "--type", "fact", "--json"),
          List.of("notes", "--entity", "absent"),
          List.of("notes", "--as-of", "yesterday"),
          List.of("history", "{note}"),
          List.of("history", "01JD0000000000000000000000"),
          List.of("history", "x"),
          List.of("promote", "{note}"),
          List.of("promote", "01JD0000000000000000000000"),
          List.of("turns", "s1"),
          List.of("turns", "s1", "--include", "rolled_back", "--json"),
          List.of("turns", "absent"),
          List.of("turns", "01JD0000000000000000000000"),
          List.of("artifacts", "s1"),
          List.of("artifacts", "s1", "--live", "--json"),
          List.of("lineage", "{artifact}"),
          List.of("lint", "s1", "--semantic"),
          List.of("lint", "--artifact", "{artifact}", "--semantic", "--json"),
          List.of("lint"),
          List.of("state", "s1", "--json"),
          List.of("validate", "s1", "--semantic"),
          List.of("validate", "s1", "--window", "{window}", "--semantic", "--json"),
          List.of("assemble", "s1"),
          List.of("assemble", "s1", "--query", "tea", "--dry-run"),
          List.of("assemble", "s1", "--ttl", "2h", "--dry-run"),
          List.of("windows", "s1", "--limit", "1"),
          List.of("windows", "s1", "--limit", "0"),
          List.of("explain", "{window}"),
          List.of("explain", "{window}", "--replay"),
          List.of("explain", "{window}", "--diff", "{window}", "--json"),
          List.of("explain", "01JD0000000000000000000000"),
          List.of("annotate", "{window}"),
          List.of("checkpoint", "save", "s1"),
          List.of("checkpoint", "list", "s1", "--json"),
          List.of("checkpoint", "fork", "{checkpoint}", "--goal", "Another way"),
          List.of("recover", "s1"),
          List.of("recover", "s1", "--checkpoint", "{checkpoint}", "--yes"),
          List.of("recover", "s2", "--checkpoint", "{checkpoint}"),
          List.of("trace", "s1", "--type", "checkpoint_recovered", "--json"),
          List.of("trace", "s1", "--type", "absent"),
          List.of("cleanup"),
          List.of("spaces", "create", "team-a"),
          List.of("spaces", "create", "team-a", "--json"),
          List.of("spaces", "create", "caliber.server"),
          List.of("spaces", "list", "--json"),
          List.of("notes", "--space", "team-a"),
          List.of("notes", "--space", "absent"),
          List.of("notes", "--space", "caliber.server"),
          List.of("keys", "create", "anna", "--right", "read", "--spaces", "team-a"),
          List.of("keys", "create", "anna"),
          List.of("keys", "list"),
          List.of("keys", "revoke", "01JD0000000000000000000000"),
          List.of("pack", "deploy", "{pack}", "--allow-unlocked"),
          List.of("dsl", "deploy", "{source}", "--name", "rules", "--no-activate"),
          List.of("pack", "list", "--json"),
          List.of("pack", "list", "--name", "absent"),
          List.of("pack", "activate", "absent", "1"),
          List.of("pack", "activate", "rules", "1", "--metadata", "revision=7"),
          List.of("pack", "rollback", "--json"),
          List.of("agents", "list"),
          List.of("agents", "list", "--type", "absent", "--json"),
          List.of("agents", "status", "--json"),
          List.of("agents", "unregister", "anna"),
          List.of("agents", "unregister", "anna", "--release-all"),
          List.of("agents", "unregister", "absent"),
          List.of("leases", "list"),
          List.of("leases", "list", "--holder", "ben", "--json"),
          List.of("leases", "revoke", "{lease}"),
          List.of("leases", "revoke", "01JD0000000000000000000000"),
          List.of("messages", "list", "--state", "dead", "--json"),
          List.of("messages", "requeue", "{message}"),
          List.of("messages", "requeue", "{message}"),
          List.of("messages", "list"),
          List.of("forget", "{note}"),
          List.of("forget", "{note}", "--yes", "--reason", "asked"),
          List.of("forget", "--subject", "alice", "--yes", "--json"),
          List.of("forget", "--subject", "absent"),
          List.of("forget"));

  private static final Pattern ID = Pattern.compile("\\b[0-9A-HJKMNP-TV-Z]{26}\\b");

  /** Values that differ from run to run: times, numbers of commits, secrets, durations. */
  private static final Pattern CHANGING =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z|(?<=\"(?:sequence|duration_ms|revision)\":)\\d+"
              + "|(?<=commit )[\\d,]+|\\bcal_[\\w-]+");

  @TempDir Path directory;

  private static Set<String> commandNames() {
    PrintStream nowhere =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    ProcessEnvironment environment =
        new ProcessEnvironment(
            Terminal.of(nowhere, nowhere),
            Map.of(),
            Path.of(""),
            new ManualClock(),
            RandomSource.seeded(1));
    Set<String> names = new TreeSet<>();
    addNames(Main.commands(environment, new CaliberCommand()), "", names);
    return names;
  }

  private static void addNames(CommandLine parent, String prefix, Set<String> names) {
    parent
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getSubcommands().isEmpty()) {
                names.add(prefix + name);
              }
              addNames(command, prefix + name + " ", names);
            });
  }

  private static boolean isOf(List<String> line, String name) {
    return String.join(" ", line).concat(" ").startsWith(name + " ");
  }

  @Test
  @DisplayName("every command either runs without operations, or is compared beside a server")
  void everyCommandIsKnown() {
    List<String> unknown =
        commandNames().stream()
            .filter(name -> !WITHOUT_OPERATIONS.contains(name))
            .filter(name -> LINES.stream().noneMatch(line -> isOf(line, name)))
            .toList();
    assertThat(unknown).isEmpty();
  }

  @Test
  @DisplayName("every command gives the same output, exit code and audit entry beside a server")
  void theSameBesideAServer() throws IOException, InterruptedException {
    Map<String, String> ids = new HashMap<>();
    Instant now = fillStore(ids);
    Path free = copy("free");
    Shell beside = shell(copy("held"), now);
    Shell alone = shell(free, now);
    List<String> auditedByServer;
    try (ServerProcess server = start(directory.resolve("held"));
        CaliberClient client = CaliberClient.of(server.address())) {
      for (List<String> line : LINES) {
        assertThat(comparable(run(alone, ids, line)))
            .as(String.join(" ", line))
            .isEqualTo(comparable(run(beside, ids, line)));
      }
      auditedByServer = audited(client);
      assertThat(server.stop()).isEqualTo(143);
    }
    try (ServerProcess server = start(free);
        CaliberClient client = CaliberClient.of(server.address())) {
      assertThat(audited(client)).isEqualTo(auditedByServer).hasSizeGreaterThan(20);
    }
  }

  /** Starts a server with settings that leave a slow machine the time to run all commands. */
  private static ServerProcess start(Path store) throws IOException {
    return ServerProcess.start(
        store,
        text ->
            ServerProcess.set(
                ServerProcess.set(text, "agents.heartbeats", "timeout", "\"1h\""),
                "search",
                "commit-wait-timeout",
                "\"1m\""));
  }

  private static Shell shell(Path store, Instant now) {
    return new Shell(store)
        .at(now)
        .with("CALIBER_ACTOR", "local")
        .typing("Tea is hot [1]. It is on the moon.");
  }

  private static Ran run(Shell shell, Map<String, String> ids, List<String> line) {
    return shell.run(line.stream().map(word -> replaced(word, ids)).toArray(String[]::new));
  }

  private static String replaced(String word, Map<String, String> ids) {
    return word.startsWith("{")
        ? ids.getOrDefault(word.substring(1, word.length() - 1), word)
        : word;
  }

  /** Returns the exit code and the texts, with ids numbered in the order of their appearance. */
  private static String comparable(Ran ran) {
    String text = "%d\n%s\n%s".formatted(ran.code(), ran.out(), ran.err());
    List<String> seen = new ArrayList<>();
    return ID.matcher(CHANGING.matcher(text).replaceAll("…"))
        .replaceAll(
            id -> {
              if (!seen.contains(id.group())) {
                seen.add(id.group());
              }
              return "id-" + seen.indexOf(id.group());
            });
  }

  /** Returns actors and operations, sorted because entries of one time have no order. */
  private static List<String> audited(CaliberClient client) {
    return client
        .get("/audit?limit=100")
        .path("items")
        .valueStream()
        .map(entry -> entry.path("actor").asString() + " " + entry.path("operation").asString())
        .sorted()
        .toList();
  }

  private Path copy(String name) throws IOException {
    Path source = directory.resolve("seed");
    Path target = directory.resolve(name);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(source.relativize(file)));
      }
    }
    return target;
  }

  /** Fills a store with a record of each kind, and returns the time at which it was complete. */
  private Instant fillStore(Map<String, String> ids) throws IOException, InterruptedException {
    Path seed = Files.createDirectory(directory.resolve("seed"));
    Path resources = Path.of(System.getProperty("caliber.root"), "lang/src/test/resources");
    ids.put("pack", resources.resolve("pack_min").toString());
    ids.put("source", resources.resolve("example.caliber").toString());
    try (ServerProcess server = start(seed);
        CaliberClient client = CaliberClient.of(server.address())) {
      Shell shell = new Shell(seed);
      ids.put(
          "note", json(shell.run("remember", "Tea is hot.", "--json")).at("/note/id").asString());
      json(shell.run("remember", "Where is my tea?", "--session", "s1", "--json"));
      json(shell.run("remember", "Where is my coffee?", "--session", "s2", "--json"));
      ids.put(
          "checkpoint",
          json(shell.run("checkpoint", "save", "s1", "--json")).path("id").asString());
      String task = client.get("/trajectories?session=s1").at("/items/0/id").asString();
      String scope = client.get("/trajectories/" + task + "/scopes").at("/items/0/id").asString();
      ObjectNode artifacts = CaliberClient.emptyObject();
      artifacts.putArray("artifacts").addObject().put("type", "FACT").put("text", "It is cold.");
      ids.put(
          "artifact",
          client.post("/scopes/" + scope + "/artifacts", artifacts).at("/items/0/id").asString());
      ids.put("window", json(shell.run("assemble", "s1", "--json")).at("/window/id").asString());
      fillCoordination(client, ids);
      Instant end =
          Instant.parse(
              json(shell.run("remember", "The end.", "--session", "s3", "--json"))
                  .at("/turn/created_at")
                  .asString());
      assertThat(server.stop()).isEqualTo(143);
      return end;
    }
  }

  private static JsonNode json(Ran ran) {
    assertThat(ran.code()).as(ran.err()).isZero();
    return Json.read(ran.out().strip(), JsonNode.class);
  }

  private static void fillCoordination(CaliberClient client, Map<String, String> ids) {
    for (String name : List.of("anna", "ben")) {
      client.post("/agents", CaliberClient.emptyObject().put("agent", name).put("type", "coder"));
      ObjectNode wish = CaliberClient.emptyObject().put("agent", name).put("length", "1h");
      wish.putObject("resource").put("type", "file").put("id", name);
      ids.put("lease", client.post("/leases", wish).at("/lease/id").asString());
    }
    ObjectNode letter = CaliberClient.emptyObject().put("from", "anna").put("type", "hint");
    letter.putObject("to").put("agent", "ben");
    String message = client.post("/messages", letter).path("id").asString();
    ids.put("message", message);
    JsonNode back = Json.mapper().missingNode();
    while (!back.at("/delivery/state").asString("").equals("DEAD")) {
      client.post("/agents/ben/receive", CaliberClient.emptyObject());
      back =
          client.post(
              "/messages/%s/return".formatted(message),
              CaliberClient.emptyObject().put("agent", "ben"));
    }
  }
}
