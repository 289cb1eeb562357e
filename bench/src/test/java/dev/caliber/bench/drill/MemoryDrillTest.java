package dev.caliber.bench.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.bench.drill.MemoryDrill.Phase;
import dev.caliber.bench.drill.MemoryDrill.Report;
import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.Seed;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL in the middle of closes, policies and consolidations, a few times on each engine. */
final class MemoryDrillTest {
  private static final long SEED = Seed.VALUE;
  private static final int ROUNDS = 4;
  private static final int EARLIEST = 30;
  private static final int LATEST = 400;

  /** A blow may come a moment too late. */
  private static final int BLOWS = 15;

  @Test
  @DisplayName("LIF-08, CON-03: a kill leaves the before or the after of a step; runs finish once")
  void sqlite(@TempDir Path directory) {
    survives(MemoryDrill.sqlite(directory, SEED));
  }

  @Test
  @Tag("postgres")
  @DisplayName("LIF-08, CON-03: the same when the client of a server is killed")
  void postgres() {
    try (PostgresServer server = PostgresServer.start()) {
      survives(MemoryDrill.postgres(server.url(), SEED));
    }
  }

  /** Anywhere, and then in each phase until it was hit. */
  private static void survives(MemoryDrill drill) {
    Set<Phase> hit = EnumSet.noneOf(Phase.class);
    long unfinished = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      Report report = sound(drill.round(EARLIEST, LATEST));
      hit.addAll(report.interrupted());
      unfinished += report.unfinished();
    }
    for (Phase phase : Phase.values()) {
      for (int blow = 0; blow < BLOWS && !hit.contains(phase); blow++) {
        Report report = sound(drill.round(phase));
        hit.addAll(report.interrupted());
        unfinished += report.unfinished();
      }
    }
    assertThat(hit).as("seed %d: what blows have interrupted", SEED).contains(Phase.values());
    assertThat(unfinished).as("runs that were left unfinished").isPositive();
  }

  private static Report sound(Report report) {
    assertThat(report.findings()).as("seed %d", SEED).isEmpty();
    return report;
  }
}
