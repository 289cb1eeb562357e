package dev.caliber.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Count, on the wire, of the statements that the server is asked to parse. */
final class PostgresHotPathTest extends PostgresWireFixture {

  private static final int OPERATIONS = 10_000;

  @Test
  @DisplayName(
      "ARC-03: a warmed-up store has nothing parsed in ten thousand operations on PostgreSQL")
  void nothingIsParsedOnceWarm() {
    // One writer and one reader: every session executes every kind of operation while warming up.
    var workload =
        new HotPathWorkload(
            open(config -> config.with("store.reads.connections = 1"), HotPathWorkload.tables()));
    workload.warmUp();
    Map<String, Long> warm = line().parsedStatementCounts();
    assertThat(warm).isNotEmpty();
    workload.run(OPERATIONS);
    assertThat(parsedSince(warm)).isEmpty();
  }

  /** Returns each statement that was parsed again, with its total count. */
  private static Map<String, Long> parsedSince(Map<String, Long> before) {
    Map<String, Long> since = line().parsedStatementCounts();
    since.entrySet().removeAll(before.entrySet());
    return since;
  }
}
