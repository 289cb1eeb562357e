package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counts how often the server is waited for, on the wire. */
@Tag("postgres")
final class PostgresRoundTripsTest extends StoreFixture {

  private static final int MANY = 500;

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
  @DisplayName("records that travel together take a few round trips, however many they are")
  void manyRecordsTakeFewRoundTrips() {
    RecordStore store = open(ANIMALS);
    for (String name : List.of("Adam", "Berta")) {
      List<Animal> herd = IntStream.range(0, MANY).mapToObj(i -> Animal.of("a" + i, name)).toList();
      long before = roundTrips();
      Map<String, Animal> found =
          store.write(
              SPACE,
              transaction -> {
                transaction.putAll(ANIMALS, herd);
                return transaction.findAll(ANIMALS, herd.stream().map(Animal::id).toList());
              });
      assertThat(found.values()).containsExactlyElementsOf(herd);
      assertThat(roundTrips() - before).isLessThan(MANY / 10);
    }
  }

  /** A message that ends a step, after which the client waits. */
  private static long roundTrips() {
    return Objects.requireNonNull(proxy).messages().getOrDefault('S', 0L);
  }
}
