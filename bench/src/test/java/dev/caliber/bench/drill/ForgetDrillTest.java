package dev.caliber.bench.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.bench.drill.ForgetDrill.ForgetDrillReport;
import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestStrength;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with SIGKILL while a subject is forgotten, a few times on each engine. */
@Tag("drill")
final class ForgetDrillTest {
  private static final long SEED = Seed.VALUE;
  private static final int ROUNDS = 8;

  /** Approximate number of clock readings while forgetting. */
  private static final int LATEST = 24;

  @Test
  @DisplayName("a kill leaves the whole subject or nothing of it; a second call finishes")
  void sqlite(@TempDir Path directory) {
    survives(ForgetDrill.sqlite(directory, SEED));
  }

  @Test
  @Tag("postgres")
  @DisplayName("a killed client of a server leaves the whole subject or nothing of it")
  void postgres() {
    try (PostgresServer server = PostgresServer.start()) {
      survives(ForgetDrill.postgres(server.url(), SEED));
    }
  }

  /** Kills until one falls between two commits; with {@code --thorough} in every round. */
  private static void survives(ForgetDrill drill) {
    int rounds = 0;
    boolean halfDone = false;
    while (rounds < TestStrength.choose(1, ROUNDS) || (!halfDone && rounds < ROUNDS)) {
      ForgetDrillReport report = drill.runRound(LATEST);
      assertThat(report.findings()).as("seed %d", SEED).isEmpty();
      halfDone |= report.isHalfDone();
      rounds++;
    }
    assertThat(halfDone).as("seed %d: a kill that falls between two commits", SEED).isTrue();
  }
}
