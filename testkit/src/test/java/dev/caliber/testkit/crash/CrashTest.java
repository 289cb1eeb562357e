package dev.caliber.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.testkit.PostgresServer;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestStrength;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL and a crashing server. A seed is printed with every failure. */
@Tag("drill")
final class CrashTest {

  private static final long SEED = Seed.VALUE;
  private static final int ROUNDS = TestStrength.choose(1, 5);
  private static final int EARLIEST = 50;
  private static final int LATEST = 600;

  @TempDir Path directory;

  @Test
  void sqliteKeepsEveryAcknowledgedCommitWhenItsProcessIsKilled() {
    try (CrashDrill drill = CrashDrill.killSqlite(directory, SEED)) {
      survives(drill);
    }
  }

  @Test
  @Tag("postgres")
  void postgresKeepsEveryAcknowledgedCommitWhenTheClientIsKilled() {
    try (PostgresServer server = PostgresServer.start();
        CrashDrill drill = CrashDrill.killPostgresClient(server, SEED)) {
      survives(drill);
    }
  }

  @Test
  @Tag("postgres")
  void writersGoOnWhenTheServerCrashesAndNothingIsLostOrWrittenTwice() {
    try (PostgresServer server = PostgresServer.start();
        CrashDrill drill = CrashDrill.crashPostgres(server, SEED)) {
      survives(drill);
    }
  }

  private static void survives(CrashDrill drill) {
    for (int round = 1; round <= ROUNDS; round++) {
      CrashDrillReport report = drill.runRound(EARLIEST, LATEST);
      assertThat(report.findings())
          .as("seed %d, round %d; writers were told %s", SEED, round, report.failures())
          .isEmpty();
      assertThat(report.lost()).as("seed %d, round %d", SEED, round).isZero();
      assertThat(report.acknowledged()).isGreaterThanOrEqualTo(EARLIEST);
    }
  }
}
