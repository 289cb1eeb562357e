package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.app.Calls.Lost;
import dev.caliber.app.Calls.Refused;
import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.server.Wiring;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestEngines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the simulation's workload over two servers, one of which is killed repeatedly. */
@Tag("postgres")
@NullMarked
class AppTwoServersTest {
  private static final int KILLS = 3;
  private static final int MANY_KILLS = 40;
  private static final int ANSWERS = 60;

  /** Events that have to happen before the workload ends. */
  private static final Set<String> HAPPENED =
      Set.of(
          "STALE_FENCE",
          "LEASE_NOT_ACQUIRED",
          RemoteAgents.WRITTEN_BY_GRPC,
          RemoteAgents.COMMITTED,
          RemoteAgents.REPEATED,
          RemoteAgents.FAILED_OVER,
          RemoteAgents.WAITED,
          RemoteAgents.ACCEPTED,
          RemoteAgents.HANDED_ON);

  @TempDir private Path directory;

  private final StoreConfig.PostgresSettings place = TestEngines.postgres();
  private final Told told = new Told();
  private int keys;

  @Test
  @Timeout(600)
  @DisplayName(
      "AGT-05, AGT-10, AGT-13, AGT-18: no answer of two servers becomes untrue, whichever is"
          + " killed")
  void oneServerIsKilledAgainAndAgain() throws Exception {
    survives(KILLS);
  }

  @Test
  @Tag("long")
  @Timeout(3600)
  @DisplayName(
      "AGT-05, AGT-10, AGT-13, AGT-18: no answer of two servers becomes untrue, with many kills")
  void oneServerIsKilledManyTimes() throws Exception {
    survives(MANY_KILLS);
  }

  private void survives(int kills) throws Exception {
    try (HeldDelivery receiver = new HeldDelivery();
        TwoServers servers = new TwoServers(directory, place, HeldDelivery.HOST);
        RecordStore store = store()) {
      takeOver(servers, receiver);
      List<RemoteAgents> clients = clients(servers);
      List<Thread> working = new ArrayList<>();
      for (RemoteAgents client : clients) {
        working.add(Thread.ofVirtual().name("client").start(client::work));
      }
      for (int kill = 1; kill < kills; kill++) {
        servers.startMortal();
        kill(servers, "doomed-" + kill);
      }
      told.await(HAPPENED);
      servers.end();
      for (Thread each : working) {
        each.join();
      }
      assertThat(told.failures).isEmpty();
      Verdict verdict = new Verdict(store, told);
      while (!verdict.isSettled()) {
        for (RemoteAgents client : clients) {
          client.finish();
        }
      }
      happened(verdict);
      verdict.check();
    }
  }

  @SystemAccess("servers of this machine share its clock with the test")
  private RecordStore store() {
    Clock clock = Clock.systemUTC();
    StoreConfig config = StoreConfig.starter().withEngine(place);
    return Stores.open(
        config, Wiring.tables(), clock, IdGenerator.of(clock, RandomSource.system()));
  }

  private List<RemoteAgents> clients(TwoServers servers) throws Lost, InterruptedException {
    Calls steady = servers.life(TwoServers.STEADY).rest();
    String task = ask(steady, "start_trajectory", input("goal", "Build it")).path("id").asString();
    List<RemoteAgents> clients = new ArrayList<>();
    for (int i = 0; i < RemoteAgents.CLIENTS; i++) {
      RemoteAgents client =
          new RemoteAgents(servers, told, RandomSource.seeded(Seed.VALUE + i), i, task);
      client.register(steady);
      clients.add(client);
    }
    return clients;
  }

  /** Checks that the other server takes over the work of a killed one. */
  private void takeOver(TwoServers servers, HeldDelivery receiver)
      throws IOException, InterruptedException, Lost {
    servers.startMortal();
    Calls mortal = servers.life(TwoServers.MORTAL).rest();
    ObjectNode webhook = CaliberClient.emptyObject().put("url", receiver.url());
    webhook.putArray("tables").add("turn");
    ask(mortal, "create_webhook", webhook);
    ask(mortal, "remember", input("text", "Sent by the surviving server", "session", "s1"));
    String held = receiver.next();
    servers.kill();
    servers.startSteady();
    assertThat(receiver.next()).as("the message that was held").isEqualTo(held);
    receiver.answer();
  }

  /**
   * Kills a server while an agent has a message and a lease of it. The other server lets the lease
   * end and redelivers the message by itself.
   */
  private void kill(TwoServers servers, String agent)
      throws IOException, InterruptedException, Lost {
    servers.awaitAnswers(ANSWERS);
    Calls mortal = servers.life(TwoServers.MORTAL).rest();
    ObjectNode doomed = input("agent", agent, "type", "doomed");
    ask(mortal, "register_agent", doomed);
    ObjectNode wish = input("agent", agent, "length", "400ms");
    wish.putObject("resource").put("type", "file").put("id", agent);
    JsonNode lease = ask(mortal, "acquire_lease", wish).path("lease");
    told.turn(lease);
    ObjectNode letter = input("from", agent, "type", "work");
    letter.putObject("to").put("agent", agent);
    String message = ask(mortal, "send_message", letter).path("id").asString();
    told.sent.add(message);
    assertThat(received(mortal, agent)).containsExactly(message);
    servers.kill();
    Calls steady = servers.life(TwoServers.STEADY).rest();
    List<String> again = List.of();
    while (again.isEmpty()) {
      ask(steady, "register_agent", doomed);
      again = received(steady, agent);
    }
    assertThat(again).as("the message redelivered after the kill").containsExactly(message);
    ask(steady, "acknowledge_message", input("agent", agent, "id", message));
    told.acknowledged(message, agent);
    assertThatThrownBy(() -> ask(steady, "write_note", late(agent, lease)))
        .isInstanceOfSatisfying(
            Refused.class, refusal -> assertThat(refusal.code()).isEqualTo("STALE_FENCE"));
  }

  private static ObjectNode late(String agent, JsonNode lease) {
    ObjectNode note =
        input("entity", agent, "entity_type", "deed", "type", "FACT", "content", "Too late");
    note.putObject("fence")
        .put("token", lease.path("token").asLong())
        .put("agent", agent)
        .set("resource", lease.path("resource"));
    return note;
  }

  private List<String> received(Calls server, String agent) throws Lost {
    return ask(server, "await_messages", input("agent", agent, "at_most", "1s"))
        .path("items")
        .valueStream()
        .map(message -> message.path("id").asString())
        .toList();
  }

  private JsonNode ask(Calls server, String operation, ObjectNode input) throws Lost {
    return server.ask(operation, input, "test-" + keys++);
  }

  private static ObjectNode input(String... pairs) {
    ObjectNode input = CaliberClient.emptyObject();
    for (int i = 0; i < pairs.length; i += 2) {
      input.put(pairs[i], pairs[i + 1]);
    }
    return input;
  }

  /** Asserts that the events happened which make the test meaningful. */
  private void happened(Verdict verdict) {
    LoggerFactory.getLogger(AppTwoServersTest.class)
        .info(
            "{} turns, {} writes in them, {} messages, {} delegations, {} handoffs; {}",
            told.turns.size(),
            told.written.size(),
            told.sent.size(),
            told.delegated.size(),
            told.handedOver.size(),
            new TreeMap<>(told.events));
    assertThat(verdict.traces())
        .extracting(TraceEvent::type)
        .contains("lease_acquired", "lease_queued", "lease_released", "lease_expired")
        .contains(
            "message_acknowledged", "message_returned", "message_expired", "message_dead_lettered")
        .contains("delegation_accepted", "handoff_accepted", "handoff_completed")
        .containsAnyOf("delegation_rejected", "delegation_failed");
  }
}
