package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.RecordStore;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counts how often the server is waited for, on the wire. */
final class PostgresRoundTripsTest extends PostgresWireFixture {

  private static final int MANY = 500;

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
    return line().messages().getOrDefault('S', 0L);
  }
}
