package dev.caliber.bench.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.bench.drill.MemoryDrill.MemoryDrillPhase;
import dev.caliber.bench.drill.MemoryDrill.MemoryDrillReport;
import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestStrength;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with SIGKILL in closes, policies and consolidations, a few times on each engine. */
@Tag("drill")
final class MemoryDrillTest {
  private static final long SEED = Seed.VALUE;
  private static final int ROUNDS = TestStrength.choose(1, 4);
  private static final int EARLIEST = 30;
  private static final int LATEST = 400;

  /** Kills per phase; a kill may come a moment too late. */
  private static final int BLOWS = 15;

  @Test
  @DisplayName("LIF-08, CON-03: a kill leaves the before or the after of a step; runs finish once")
  void sqlite(@TempDir Path directory) {
    survives(MemoryDrill.sqlite(directory, SEED));
  }

  @Test
  @Tag("postgres")
  @DisplayName(
      "LIF-08, CON-03: a killed client leaves the before or the after of a step; runs finish once")
  void postgres() {
    try (PostgresServer server = PostgresServer.start()) {
      survives(MemoryDrill.postgres(server.url(), SEED));
    }
  }

  /** Kills anywhere, and then in each phase until it was hit. */
  private static void survives(MemoryDrill drill) {
    Set<MemoryDrillPhase> hit = EnumSet.noneOf(MemoryDrillPhase.class);
    long unfinished = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      MemoryDrillReport memoryDrillReport = sound(drill.runRound(EARLIEST, LATEST));
      hit.addAll(memoryDrillReport.interrupted());
      unfinished += memoryDrillReport.unfinished();
    }
    for (MemoryDrillPhase memoryDrillPhase : MemoryDrillPhase.values()) {
      for (int blow = 0; blow < BLOWS && !hit.contains(memoryDrillPhase); blow++) {
        MemoryDrillReport memoryDrillReport = sound(drill.runRound(memoryDrillPhase));
        hit.addAll(memoryDrillReport.interrupted());
        unfinished += memoryDrillReport.unfinished();
      }
    }
    assertThat(hit)
        .as("seed %d: steps that kills have interrupted", SEED)
        .contains(MemoryDrillPhase.values());
    assertThat(unfinished).as("runs that were left unfinished").isPositive();
  }

  private static MemoryDrillReport sound(MemoryDrillReport memoryDrillReport) {
    assertThat(memoryDrillReport.findings()).as("seed %d", SEED).isEmpty();
    return memoryDrillReport;
  }
}
