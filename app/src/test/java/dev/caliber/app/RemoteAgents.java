package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.Calls.Lost;
import dev.caliber.app.Calls.Refused;
import dev.caliber.app.TwoServers.Life;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client with some agents, who work through one of two servers while it runs. A request whose
 * answer is lost is repeated with the same key, to the other server or to the same one after its
 * restart.
 */
@NullMarked
final class RemoteAgents {
  static final int CLIENTS = 6;
  static final String WORKER = "worker";

  /** Body of a message that is never processed, and given back until it is a dead letter. */
  static final String POISON = "poison";

  static final String WRITTEN_BY_GRPC = "a note was written over gRPC with a fence";
  static final String COMMITTED = "three steps were committed with a fence";
  static final String REPEATED = "an answer was asked for again, of the other server";
  static final String FAILED_OVER = "a client went to the other server";
  static final String WAITED = "a client waited until its server was back";
  static final String ACCEPTED = "work was accepted";
  static final String HANDED_ON = "a task was handed on, or done";

  private static final int AGENTS = 4;
  private static final int RESOURCES = 8;
  private static final String LEASE = "1s";
  private static final String DEADLINE = "400ms";
  private static final String SHORT = "300ms";
  private static final Set<String> BUGS = Set.of("INTERNAL", "UNKNOWN", "IDEMPOTENCY_KEY_REUSED");
  private static final String WORKED_ON = "REQUEST_IN_PROGRESS";

  private final TwoServers servers;
  private final Told told;
  private final RandomSource randomSource;
  private final int number;
  private final String task;
  private final List<JsonNode> leases = new ArrayList<>();
  private final List<JsonNode> taken = new ArrayList<>();
  private final List<JsonNode> takenOver = new ArrayList<>();
  private int asked;

  /**
   * @param task the task whose parts they delegate
   */
  RemoteAgents(TwoServers servers, Told told, RandomSource randomSource, int number, String task) {
    this.servers = servers;
    this.told = told;
    this.randomSource = randomSource;
    this.number = number;
    this.task = task;
  }

  private int home() {
    return number % 2 == 0 ? TwoServers.STEADY : TwoServers.MORTAL;
  }

  private boolean speaksGrpc() {
    return number % 4 > 1;
  }

  /** Returns whether the client waits for its own server instead of using the other one. */
  private boolean isLoyal() {
    return number == 1;
  }

  List<String> agents() {
    return IntStream.range(0, AGENTS).mapToObj(i -> "agent-%d-%d".formatted(number, i)).toList();
  }

  /** Works until the end; reports an error, which ends the run for all clients. */
  void work() {
    try {
      while (!servers.isOver()) {
        attempt(this::act);
      }
    } catch (Throwable failure) {
      told.failure(failure);
      servers.end();
    }
  }

  void register(Calls server) throws Lost {
    for (String agent : agents()) {
      ObjectNode profile = input("agent", agent).put("type", WORKER);
      profile.putArray("can_delegate_to").add(WORKER);
      server.ask("register_agent", profile, agent);
    }
  }

  private interface Deed {
    void run() throws InterruptedException;
  }

  private void attempt(Deed deed) throws InterruptedException {
    try {
      deed.run();
    } catch (Refused refusal) {
      assertThat(BUGS).as("%s", refusal).doesNotContain(refusal.code());
      told.event(refusal.code());
    }
  }

  private static ObjectNode input(String name, String value) {
    return CaliberClient.emptyObject().put(name, value);
  }

  /** Calls the operation on a server that answers; some answers are dropped on their way. */
  JsonNode ask(String operation, ObjectNode input) throws InterruptedException {
    String key = "client-%d-%d".formatted(number, asked++);
    JsonNode answer = ask(operation, input, key, home());
    if (randomSource.nextInt(8) == 0 && !operation.startsWith("list_")) {
      assertThat(ask(operation, input, key, 1 - home())).as(operation).isEqualTo(answer);
      told.event(REPEATED);
    }
    return answer;
  }

  private JsonNode ask(String operation, ObjectNode input, String key, int first)
      throws InterruptedException {
    int which = first;
    while (true) {
      Life life = servers.life(which);
      try {
        JsonNode answer = (speaksGrpc() ? life.grpc() : life.rest()).ask(operation, input, key);
        servers.answered(which);
        return answer;
      } catch (Lost lost) {
        which = elsewhere(life, which, lost);
      } catch (Refused refusal) {
        if (!refusal.code().equals(WORKED_ON)) {
          throw refusal;
        }
        told.event(WORKED_ON);
      }
    }
  }

  private int elsewhere(Life life, int which, Lost lost) throws InterruptedException {
    if (which == TwoServers.STEADY) {
      throw new AssertionError("the living server does not answer", lost);
    }
    if (isLoyal()) {
      told.event(WAITED);
      servers.awaitAfter(life);
      return servers.isOver() ? TwoServers.STEADY : which;
    }
    told.event(FAILED_OVER);
    taken.clear(); // answers that arrived are lost with the connection
    return TwoServers.STEADY;
  }

  private void act() throws InterruptedException {
    String agent = agents().get(randomSource.nextInt(AGENTS));
    switch (randomSource.nextInt(20)) {
      case 0 -> beat();
      case 1, 2, 3, 4, 5 -> acquire(agent);
      case 6, 7, 8 -> write();
      case 9, 10, 11 -> send(agent);
      case 12, 13 -> receive(agent);
      case 14 -> acknowledge();
      case 15 -> giveBack();
      case 16 -> handOver(agent);
      case 17 -> takeOver(agent);
      default -> delegate(agent);
    }
  }

  private void beat() throws InterruptedException {
    ObjectNode beat = CaliberClient.emptyObject();
    ArrayNode all = beat.putArray("agents");
    agents().forEach(all::add);
    ask("record_heartbeats", beat);
  }

  private void acquire(String agent) throws InterruptedException {
    ObjectNode wish = input("agent", agent);
    resource(wish);
    wish.put("mode", randomSource.nextInt(3) == 0 ? "SHARED" : "EXCLUSIVE");
    wish.put("length", LEASE).put("queued", randomSource.nextInt(2) == 0);
    JsonNode answer = ask("acquire_lease", wish);
    if (answer.has("lease")) {
      told.turn(answer.path("lease"));
      use(answer.path("lease"));
    } else if (randomSource.nextInt(3) == 0) {
      ObjectNode place = input("agent", agent);
      place.set("resource", wish.path("resource"));
      ask("leave_lease_queue", place);
    }
  }

  private void resource(ObjectNode wish) {
    wish.putObject("resource").put("type", "file").put("id", "f" + randomSource.nextInt(RESOURCES));
  }

  /** Renews some leases; releases others and writes with them all the same. */
  private void use(JsonNode lease) throws InterruptedException {
    leases.add(lease);
    ObjectNode mine =
        input("id", lease.path("id").asString()).put("agent", lease.path("holder").asString());
    switch (randomSource.nextInt(4)) {
      case 0 -> told.turn(ask("renew_lease", mine.put("length", LEASE)));
      case 1 -> ask("release_lease", mine);
      case 2 -> write(lease);
      default -> {}
    }
  }

  /** Writes with one of the last leases, whether it is still held or not. */
  private void write() throws InterruptedException {
    if (!leases.isEmpty()) {
      write(leases.get(leases.size() - 1 - randomSource.nextInt(Math.min(3, leases.size()))));
    }
  }

  private void write(JsonNode lease) throws InterruptedException {
    ObjectNode note = note(lease);
    if (speaksGrpc()) {
      note.set("fence", fence(lease));
      written(ask("write_note", note), lease, "");
      told.event(WRITTEN_BY_GRPC);
    } else {
      commit(lease, note);
      told.event(COMMITTED);
    }
  }

  private ObjectNode note(JsonNode lease) {
    String name = "deed %d-%d".formatted(number, asked);
    return input("entity", name)
        .put("entity_type", "deed")
        .put("type", "FACT")
        .put("content", "%s was at it".formatted(lease.path("holder").asString()))
        .put("external_id", name);
  }

  private static ObjectNode fence(JsonNode lease) {
    ObjectNode fence = CaliberClient.emptyObject();
    fence.set("resource", lease.path("resource"));
    return fence
        .put("token", lease.path("token").asLong())
        .put("agent", lease.path("holder").asString());
  }

  /** Writes a message, a note and a checkpoint in one commit under a lease. */
  private void commit(JsonNode lease, ObjectNode note) throws InterruptedException {
    ObjectNode commit = CaliberClient.emptyObject();
    commit.set("fence", fence(lease));
    ArrayNode steps = commit.putArray("operations");
    ObjectNode letter = letter(lease.path("holder").asString(), "work");
    steps.addObject().put("operation", "send_message").set("input", letter);
    steps.addObject().put("operation", "write_note").set("input", note);
    steps.addObject().put("operation", "save_checkpoint").set("input", input("trajectory", task));
    JsonNode results = ask("commit", commit).path("results");
    String message = results.path(0).path("id").asString();
    told.sent.add(message);
    written(results.path(1), lease, message);
  }

  private void written(JsonNode note, JsonNode lease, String message) {
    told.written.put(
        note.path("id").asString(),
        new Told.Written(
            Told.resource(lease.path("resource")),
            lease.path("holder").asString(),
            lease.path("token").asLong(),
            message));
  }

  private static ObjectNode letter(String from, String type) {
    ObjectNode letter = input("from", from).put("type", type);
    letter.putObject("to").put("type", WORKER);
    return letter;
  }

  /** Sends a message to an agent or to a type; some expire soon, some no agent can process. */
  private void send(String agent) throws InterruptedException {
    ObjectNode letter = letter(agent, randomSource.nextInt(4) == 0 ? POISON : "work");
    if (randomSource.nextInt(3) == 0) {
      letter
          .putObject("to")
          .put(
              "agent",
              "agent-%d-%d".formatted(randomSource.nextInt(CLIENTS), randomSource.nextInt(AGENTS)));
    }
    if (randomSource.nextInt(4) == 0) {
      letter.put("expires_in", SHORT);
    }
    told.sent.add(ask("send_message", letter).path("id").asString());
  }

  private void receive(String agent) throws InterruptedException {
    for (JsonNode message :
        ask("receive_messages", input("agent", agent).put("limit", 3)).path("items")) {
      if (isPoison(message)) {
        giveBack(agent, message);
      } else {
        taken.add(message);
      }
    }
  }

  private static boolean isPoison(JsonNode message) {
    return message.path("letter").path("type").asString().equals(POISON);
  }

  private static String claimer(JsonNode message) {
    return message.path("delivery").path("claimer").asString();
  }

  private void giveBack(String agent, JsonNode message) throws InterruptedException {
    ask("return_message", input("id", message.path("id").asString()).put("agent", agent));
  }

  private void giveBack() throws InterruptedException {
    if (!taken.isEmpty()) {
      JsonNode message = taken.removeFirst();
      giveBack(claimer(message), message);
    }
  }

  private void acknowledge() throws InterruptedException {
    if (!taken.isEmpty()) {
      acknowledge(taken.removeFirst());
    }
  }

  private void acknowledge(JsonNode message) throws InterruptedException {
    String id = message.path("id").asString();
    ask("acknowledge_message", input("id", id).put("agent", claimer(message)));
    told.acknowledged(id, claimer(message));
  }

  /** Lets every agent process what is left; a message that no agent can process is given back. */
  void finish() throws InterruptedException {
    attempt(this::beat);
    for (String agent : agents()) {
      attempt(() -> finish(agent));
    }
  }

  private void finish(String agent) throws InterruptedException {
    JsonNode left = ask("receive_messages", input("agent", agent)).path("items");
    for (JsonNode message : left) {
      attempt(
          () -> {
            if (isPoison(message)) {
              giveBack(agent, message);
            } else {
              acknowledge(message);
            }
          });
    }
  }

  private void delegate(String agent) throws InterruptedException {
    JsonNode open = ask("list_delegations", input("acceptable_by", agent)).path("items");
    if (open.isEmpty() || randomSource.nextInt(2) == 0) {
      ObjectNode work =
          input("delegator", agent)
              .put("description", "Part of it")
              .put("trajectory", task)
              .put("within", DEADLINE);
      work.putObject("to").put("type", WORKER);
      told.delegated.add(ask("create_delegation", work).path("id").asString());
    } else {
      String work = open.path(randomSource.nextInt(open.size())).path("id").asString();
      move("transition_delegation", agent, work, "ACCEPT");
      told.accepted(work, agent);
      told.event(ACCEPTED);
      move("transition_delegation", agent, work, "BEGIN");
      if (!speaksGrpc()) {
        ObjectNode end = input("id", work).put("agent", agent).put("event", "COMPLETE");
        end.putObject("result");
        ask("transition_delegation", end);
      }
    }
  }

  private JsonNode move(String operation, String agent, String work, String event)
      throws InterruptedException {
    return ask(operation, input("id", work).put("agent", agent).put("event", event));
  }

  /** Begins a task and hands it over to any agent, or hands over the task that it has. */
  private void handOver(String agent) throws InterruptedException {
    if (takenOver.isEmpty() || randomSource.nextInt(2) == 0) {
      String shift = ask("start_trajectory", input("goal", "A shift")).path("id").asString();
      ask("assign_task", input("agent", agent).put("trajectory", shift));
      handOver(agent, shift);
    } else {
      JsonNode mine = takenOver.removeLast();
      handOver(mine.path("receiver").asString(), mine.path("trajectory").asString());
      told.event(HANDED_ON);
    }
  }

  private void handOver(String agent, String shift) throws InterruptedException {
    ObjectNode handoff =
        input("from", agent)
            .put("trajectory", shift)
            .put("notes", "Half of it is done.")
            .put("reason", "end of shift");
    handoff.putObject("to").put("type", WORKER);
    told.handedOver.add(ask("start_handoff", handoff).path("id").asString());
  }

  private void takeOver(String agent) throws InterruptedException {
    JsonNode open = ask("list_handoffs", input("acceptable_by", agent)).path("items");
    if (!open.isEmpty()) {
      String handoff = open.path(randomSource.nextInt(open.size())).path("id").asString();
      takenOver.add(move("transition_handoff", agent, handoff, "ACCEPT"));
      told.accepted(handoff, agent);
    } else if (!takenOver.isEmpty()) {
      JsonNode mine = takenOver.removeFirst();
      move(
          "transition_handoff",
          mine.path("receiver").asString(),
          mine.path("id").asString(),
          "COMPLETE");
    }
  }
}
