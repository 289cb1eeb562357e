package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.StoreConfig;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counts the messages that ask the server to parse SQL, on the wire. */
@Tag("postgres")
final class PostgresHotPathTest extends StoreFixture {

  private static final int OPERATIONS = 10_000;

  private static @Nullable PostgresServer server;
  private static @Nullable FlakyProxy proxy;

  private final StoreConfig.Postgres engine =
      Engines.postgres(Objects.requireNonNull(proxy).url(Objects.requireNonNull(server)));

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
    proxy = FlakyProxy.before(server);
  }

  @AfterAll
  static void stopServer() {
    Objects.requireNonNull(proxy).close();
    Objects.requireNonNull(server).close();
  }

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }

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
                ANIMALS));
    workload.warmUp();
    long warm = parsed();
    assertThat(warm).isPositive();
    workload.run(OPERATIONS);
    assertThat(parsed() - warm).isZero();
  }

  /** Parse messages of the extended protocol, and queries of the simple one. */
  private static long parsed() {
    Map<Character, Long> messages = Objects.requireNonNull(proxy).messages();
    return messages.getOrDefault('P', 0L) + messages.getOrDefault('Q', 0L);
  }
}
