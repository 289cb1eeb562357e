package dev.caliber.agents.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.SimulationTest;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.Workers;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.lease.Deed;
import dev.caliber.agents.lease.Invariants;
import dev.caliber.agents.registry.Agent;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestEngines;
import dev.caliber.testkit.TestStrength;
import dev.caliber.testkit.crash.KillableProcess;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workload of the simulation on a real server with two processes, one killed repeatedly. */
@Tag("postgres")
@Tag("drill")
final class TwoProcessesTest {
  private static final int KILLS = TestStrength.choose(2, 4);
  private static final int ACTS = 60;
  private static final Set<String> ENDS =
      Set.of("message_acknowledged", "message_expired", "message_dead_lettered");

  private final StoreConfig.PostgresSettings place = TestEngines.postgres();

  @Test
  @DisplayName(
      "AGT-05, AGT-10, AGT-13, AGT-18: no stale write, nothing done twice, whichever process dies")
  @SystemAccess("two processes of this machine share its clock with the test")
  void oneIsKilledAgainAndAgain() {
    Clock clock = Clock.systemUTC();
    List<Id> left = new ArrayList<>();
    try (RecordStore store = Workers.open(place.url(), place.schema(), clock)) {
      new Workers(store, clock, RandomSource.seeded(Seed.VALUE), 0).begin();
      try (KillableProcess steady = start(0)) {
        for (int i = 1; i <= KILLS; i++) {
          left.addAll(killed(store, i));
        }
        await(steady, ACTS);
      }
      happened(store);
    }
    assertThat(left).as("messages that processes had when they were killed").isNotEmpty();
    Clock later = Clock.offset(clock, Duration.ofMinutes(5));
    try (RecordStore store = Workers.open(place.url(), place.schema(), later)) {
      drain(store, later);
      check(store);
      for (Id message : left) {
        assertThat(all(store, Message.TABLE))
            .filteredOn(each -> each.id().equals(message))
            .filteredOn(each -> each.state() != MessageState.EXPIRED)
            .allSatisfy(each -> assertThat(each.delivery().attempts()).isGreaterThan(1));
      }
    }
  }

  /** Waits for {@code acts} reported actions. */
  private static void await(KillableProcess process, int acts) {
    for (int i = 0; i < acts; i++) {
      process.nextLine();
    }
  }

  private static void awaitHolding(KillableProcess process) {
    String line = process.nextLine();
    while (!line.equals(Workers.HOLDING)) {
      line = process.nextLine();
    }
  }

  private KillableProcess start(int number) {
    return KillableProcess.start(
        Workers.class,
        "",
        List.of(
            place.url(),
            place.schema(),
            Long.toString(Seed.VALUE + number),
            Integer.toString(number)));
  }

  /** Kills a process; returns the messages that it had claimed and not acknowledged. */
  private List<Id> killed(RecordStore store, int number) {
    try (KillableProcess victim = start(number)) {
      await(victim, ACTS);
      awaitHolding(victim);
    }
    return all(store, Message.TABLE).stream()
        .filter(message -> message.state() == MessageState.DELIVERED)
        .filter(
            message ->
                message.delivery().claimer().filter(Workers.agentsOf(number)::contains).isPresent())
        .map(Message::id)
        .toList();
  }

  /** Checks that these events occurred, or the test proves nothing. */
  private static void happened(RecordStore store) {
    List<TraceEvent> traces = all(store, TraceEvent.TABLE);
    assertThat(traces)
        .as("a write after one's turn was refused")
        .anyMatch(trace -> trace.detail().filter("write STALE_FENCE"::equals).isPresent());
    assertThat(traces)
        .extracting(TraceEvent::type)
        .as("what the jobs of the processes did")
        .contains("message_returned", "lease_expired", "message_expired", "message_dead_lettered")
        .contains("lease_released", "lease_queue_left", "handoff_accepted", "handoff_completed")
        .containsAnyOf("delegation_rejected", "delegation_failed");
  }

  /** Processes what dead processes have left; only jobs process due work. */
  private static void drain(RecordStore store, Clock clock) {
    Workers workers = new Workers(store, clock, RandomSource.seeded(Seed.VALUE), 0);
    Jobs jobs = Jobs.of(store, StoreConfig.starter().jobs(), clock);
    workers.agents().registerJobHandlers(jobs);
    jobs.runDue(Workers.SPACE);
    workers.agents().run(Workers.SPACE, new RecordHeartbeats(Workers.crowd()));
    workers.finish();
    store.read(
        Workers.SPACE,
        snapshot -> {
          Invariants.nothingIsLate(snapshot, clock.instant().minus(SimulationTest.INTERVAL));
          return true;
        });
    for (Message message : all(store, Message.TABLE)) {
      assertThat(message.state()).as("%s", message).isIn(ends(message));
    }
  }

  /** Returns the states in which a message may have ended. */
  private static Set<MessageState> ends(Message message) {
    Set<MessageState> ends = EnumSet.of(MessageState.DEAD);
    if (!message.letter().type().equals(Workers.POISON)) {
      ends.add(MessageState.ACKNOWLEDGED);
    }
    message.expiresAt().ifPresent(_ -> ends.add(MessageState.EXPIRED));
    return ends;
  }

  private static <T> List<T> all(RecordStore store, Table<T> table) {
    return store.read(Workers.SPACE, snapshot -> snapshot.list(Query.over(table)));
  }

  private static void check(RecordStore store) {
    List<Deed> deeds =
        store.read(Workers.SPACE, snapshot -> snapshot.list(Query.over(Deed.TABLE, "sequence")));
    Map<String, Long> last = new HashMap<>();
    Map<String, Long> lastAlone = new HashMap<>();
    Set<String> done = new HashSet<>();
    Set<String> sent = new HashSet<>();
    Set<String> accepted = new HashSet<>();
    for (Deed deed : deeds) {
      switch (deed.kind()) {
        case GRANTED_ALONE, GRANTED_SHARED -> {
          assertThat(deed.token())
              .as("token of %s", deed)
              .isGreaterThan(last.getOrDefault(deed.about(), 0L));
          last.put(deed.about(), deed.token());
          if (deed.kind() == Deed.Kind.GRANTED_ALONE) {
            lastAlone.put(deed.about(), deed.token());
          }
        }
        case WRITTEN_ALONE ->
            assertThat(deed.token()).as("a write %s", deed).isEqualTo(last.get(deed.about()));
        case WRITTEN_SHARED ->
            assertThat(deed.token())
                .as("a write %s", deed)
                .isGreaterThanOrEqualTo(lastAlone.getOrDefault(deed.about(), 0L));
        case SENT -> sent.add(deed.about());
        case ACKNOWLEDGED -> assertThat(done.add(deed.about())).as("done twice: %s", deed).isTrue();
        case ACCEPTED ->
            assertThat(accepted.add(deed.about())).as("accepted twice: %s", deed).isTrue();
      }
    }
    assertThat(deeds).extracting(Deed::kind).contains(Deed.Kind.values());
    mailEndedOnce(all(store, Message.TABLE), all(store, TraceEvent.TABLE), sent, done);
    everyTaskHasOneOwner(store, accepted);
  }

  /** Checks that every sent message exists and ended once. */
  private static void mailEndedOnce(
      List<Message> mail, List<TraceEvent> traces, Set<String> sent, Set<String> done) {
    assertThat(mail)
        .extracting(message -> message.id().toString())
        .containsExactlyInAnyOrderElementsOf(sent);
    assertThat(mail)
        .filteredOn(message -> message.state() == MessageState.ACKNOWLEDGED)
        .extracting(message -> message.id().toString())
        .containsExactlyInAnyOrderElementsOf(done);
    List<String> ends =
        traces.stream()
            .filter(trace -> ENDS.contains(trace.type()))
            .map(trace -> trace.detail().orElseThrow())
            .toList();
    assertThat(ends).as("ends of messages").containsExactlyInAnyOrderElementsOf(sent);
  }

  /** Checks that accepted work has one receiver and each task one agent. */
  private static void everyTaskHasOneOwner(RecordStore store, Set<String> accepted) {
    List<Handoff> handoffs = all(store, Handoff.TABLE);
    List<Delegation> work = all(store, Delegation.TABLE);
    assertThat(
            Stream.concat(
                handoffs.stream().filter(one -> one.receiver().isPresent()).map(Handoff::id),
                work.stream().filter(one -> one.delegatee().isPresent()).map(Delegation::id)))
        .extracting(Id::toString)
        .containsExactlyInAnyOrderElementsOf(accepted);
    assertThat(handoffs.stream().filter(Handoff::isOpen).map(Handoff::trajectory))
        .as("tasks of open handoffs")
        .doesNotHaveDuplicates();
    Set<Id> passed = handoffs.stream().map(Handoff::trajectory).collect(Collectors.toSet());
    assertThat(
            all(store, Agent.TABLE).stream()
                .flatMap(agent -> agent.trajectory().stream())
                .filter(passed::contains))
        .as("tasks that agents are at")
        .doesNotHaveDuplicates();
  }
}
