package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Seam;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.Seed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulation's workload on a real server with two processes, one killed again and again. */
@Tag("postgres")
final class TwoProcessesTest {
  private static final int KILLS = 4;
  private static final int ACTS = 60;

  @TempDir Path directory;

  private final StoreConfig.Postgres place = Engines.postgres();
  private Path errors = Path.of("");

  @Test
  @DisplayName("AGT-05, AGT-10, AGT-18: no stale write, and no message done twice, whoever dies")
  @Seam("two processes of this machine share its clock with the test")
  void oneIsKilledAgainAndAgain() throws IOException {
    Clock clock = Clock.systemUTC();
    try (RecordStore store = Workers.open(place.url(), place.schema(), clock)) {
      new Workers(store, clock, Chance.seeded(Seed.VALUE)).begin();
      Process steady = start(0);
      try {
        for (int i = 1; i <= KILLS; i++) {
          Process victim = start(i);
          await(victim, ACTS);
          victim.destroyForcibly();
        }
        await(steady, ACTS);
      } finally {
        steady.destroyForcibly();
      }
    }
    Clock later = Clock.offset(clock, Duration.ofMinutes(5));
    try (RecordStore store = Workers.open(place.url(), place.schema(), later)) {
      drain(new Workers(store, later, Chance.seeded(Seed.VALUE)), later);
      check(store);
    }
  }

  private Process start(int number) throws IOException {
    errors = directory.resolve("errors-" + number);
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
            "-cp",
            System.getProperty("java.class.path"),
            Workers.class.getName(),
            place.url(),
            place.schema(),
            Long.toString(Seed.VALUE + number))
        .redirectError(errors.toFile())
        .start();
  }

  /** Until the process has said so often that it did something. */
  private void await(Process process, int acts) throws IOException {
    BufferedReader in = process.inputReader(StandardCharsets.UTF_8);
    int done = 0;
    while (done < acts) {
      String line = in.readLine();
      assertThat(line).as("a process that goes on: %s", Files.readString(errors)).isNotNull();
      if (line.equals(Workers.DONE)) {
        done++;
      }
    }
  }

  /** Whoever is left takes what the dead have left. */
  private static void drain(Workers workers, Clock clock) {
    Agents agents = workers.agents();
    agents.tend(Workers.SPACE);
    agents.run(Workers.SPACE, new Beat(Workers.crowd()));
    while (!agents
        .<List<Message>>view(Workers.SPACE, view -> view.messages(MessageState.PENDING))
        .isEmpty()) {
      workers.receive(Workers.crowd().getFirst());
    }
    agents.view(
        Workers.SPACE,
        view -> {
          Invariants.tended(view, clock.instant());
          assertThat(view.messages(MessageState.DELIVERED)).isEmpty();
          return true;
        });
  }

  private static void check(RecordStore store) {
    List<Deed> deeds =
        store.read(
            Workers.SPACE, snapshot -> Rows.all(snapshot, Query.over(Deed.TABLE, "sequence")));
    Map<String, Long> holder = new HashMap<>();
    Set<String> done = new HashSet<>();
    for (Deed deed : deeds) {
      switch (deed.kind()) {
        case "granted" ->
            assertThat(deed.token())
                .as("token of %s", deed)
                .isGreaterThan(holder.getOrDefault(deed.about(), 0L));
        case "written" ->
            assertThat(deed.token()).as("a write %s", deed).isEqualTo(holder.get(deed.about()));
        default -> assertThat(done.add(deed.about())).as("done twice: %s", deed).isTrue();
      }
      if (deed.kind().equals("granted")) {
        holder.put(deed.about(), deed.token());
      }
    }
    assertThat(deeds).extracting(Deed::kind).contains("granted", "written", "acknowledged");
    assertThat(
            store.<List<Message>>read(
                Workers.SPACE,
                snapshot ->
                    Rows.all(
                        snapshot,
                        Query.over(Message.TABLE, "state", "sequence")
                            .equal(MessageState.ACKNOWLEDGED.name()))))
        .extracting(message -> message.id().toString())
        .containsExactlyInAnyOrderElementsOf(done);
  }
}
