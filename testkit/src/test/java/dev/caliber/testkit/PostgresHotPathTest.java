package dev.caliber.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.StoreConfig;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counts the statements that the server is asked to parse, on the wire. */
final class PostgresHotPathTest extends PostgresWireFixture {

  private static final int OPERATIONS = 10_000;

  @Test
  @DisplayName(
      "ARC-03: a warmed-up store has nothing parsed in ten thousand operations on PostgreSQL")
  void nothingIsParsedOnceWarm() {
    // One writer and one reader: every session meets every kind of operation while warming up.
    var workload =
        new HotPathWorkload(
            open(
                config ->
                    config.withReads(
                        new StoreConfig.Reads(
                            1,
                            config.reads().patience(),
                            config.reads().pageLimit(),
                            config.reads().scanLimit())),
                HotPathWorkload.tables()));
    workload.warmUp();
    Map<String, Long> warm = line().parsed();
    assertThat(warm).isNotEmpty();
    workload.run(OPERATIONS);
    assertThat(parsedSince(warm)).isEmpty();
  }

  /** Each statement that was parsed once more, with how often it was in all. */
  private static Map<String, Long> parsedSince(Map<String, Long> before) {
    Map<String, Long> since = line().parsed();
    since.entrySet().removeAll(before.entrySet());
    return since;
  }
}
