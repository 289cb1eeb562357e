package dev.caliber.bench.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.Seed;
import java.nio.file.Path;
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

  private static void survives(MemoryDrill drill) {
    for (int round = 1; round <= ROUNDS; round++) {
      MemoryDrill.Report report = drill.round(EARLIEST, LATEST);
      assertThat(report.findings()).as("seed %d, round %d", SEED, round).isEmpty();
    }
  }
}
