package dev.caliber.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Durability;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.TestStrength;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stop of the store's disk without a flush. Needs root and loop devices; where they are missing,
 * {@code ./verify} leaves these tests out and says so.
 */
@Tag("power-cut")
@Tag("drill")
final class PowerCutTest {

  private static final long SEED = Seed.VALUE;
  private static final int ROUNDS = TestStrength.choose(1, 3);
  private static final int EARLIEST = 50;
  private static final int LATEST = 400;
  private static final int TRIES_TO_LOSE = 10;

  @Test
  void sqliteKeepsEveryAcknowledgedCommit() {
    keepsAll(CrashDrill::cutPowerOfSqlite);
  }

  @Test
  @Tag("postgres")
  void postgresKeepsEveryAcknowledgedCommit() {
    keepsAll(CrashDrill::cutPowerOfPostgres);
  }

  @Test
  void relaxedSqliteLosesTheLastCommitsButNeverHalfOfOne() {
    losesSome(CrashDrill::cutPowerOfSqlite);
  }

  @Test
  @Tag("postgres")
  void relaxedPostgresLosesTheLastCommitsButNeverHalfOfOne() {
    losesSome(CrashDrill::cutPowerOfPostgres);
  }

  private static void keepsAll(BiFunction<Durability, Long, CrashDrill> maker) {
    try (CrashDrill drill = maker.apply(Durability.FULL, SEED)) {
      for (int round = 1; round <= ROUNDS; round++) {
        CrashDrillReport report = drill.runRound(EARLIEST, LATEST);
        assertThat(report.findings()).as("seed %d, round %d", SEED, round).isEmpty();
        assertThat(report.lost()).as("seed %d, round %d", SEED, round).isZero();
        assertThat(report.acknowledged()).isGreaterThanOrEqualTo(EARLIEST);
      }
    }
  }

  /**
   * Asserts that relaxed durability loses commits; otherwise the tests above would prove nothing.
   */
  private static void losesSome(BiFunction<Durability, Long, CrashDrill> maker) {
    long lost = 0;
    try (CrashDrill drill = maker.apply(Durability.RELAXED, SEED)) {
      for (int round = 1; round <= TRIES_TO_LOSE && lost == 0; round++) {
        CrashDrillReport report = drill.runRound(EARLIEST, LATEST);
        assertThat(report.findings()).as("seed %d, round %d", SEED, round).isEmpty();
        lost += report.lost();
      }
    }
    assertThat(lost).as("seed %d: acknowledged commits that a power cut took", SEED).isPositive();
  }
}
