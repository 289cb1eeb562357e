package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.HotPathWorkload.Sighting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
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

  @Test
  @DisplayName("a line of a log travels with its commit, and many of them together")
  void whatIsAppendedTravelsWithTheCommit() {
    RecordStore store = open(ANIMALS, Sighting.TABLE);
    long plain = tripsOf(store, (t, key) -> t.insert(ANIMALS, Animal.of(key, "Adam")));
    long logged =
        tripsOf(
            store,
            (transaction, key) -> {
              transaction.insert(ANIMALS, Animal.of("logged " + key, "Berta"));
              transaction.append(Sighting.TABLE, sighting(key));
            });
    assertThat(logged).as("beside %d without", plain).isLessThan(plain + MANY / 2);
    long before = roundTrips();
    store.write(
        SPACE,
        transaction -> {
          IntStream.range(0, MANY)
              .forEach(i -> transaction.append(Sighting.TABLE, sighting("together " + i)));
          return true;
        });
    assertThat(roundTrips() - before).isLessThan(MANY / 10);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(Sighting.TABLE))))
        .isEqualTo(2 * MANY);
  }

  @Test
  @DisplayName("what one writer has read the others know: whoever has the next turn")
  void writersKnowTheSame() {
    RecordStore store =
        open(config -> config.withEngine(ofWriters(4, engine())), ANIMALS, Sighting.TABLE);
    RecordStoreContract.put(store, Animal.of("cat", "Tom"));
    long plain = tripsOf(store, (t, key) -> t.append(Sighting.TABLE, sighting(key)));
    long asking =
        tripsOf(
            store,
            (transaction, key) -> {
              String name = transaction.get(ANIMALS, "cat").name();
              transaction.append(Sighting.TABLE, sighting(name + key));
            });
    assertThat(asking).as("beside %d without", plain).isLessThan(plain + MANY / 2);
  }

  private static Sighting sighting(String key) {
    return new Sighting(key, Optional.empty());
  }

  /** How often the server is waited for in so many writes; followers are told beside them. */
  private static long tripsOf(RecordStore store, BiConsumer<Transaction, String> work) {
    long before = roundTrips();
    for (int i = 0; i < MANY; i++) {
      String key = "k" + i;
      store.write(
          SPACE,
          transaction -> {
            work.accept(transaction, key);
            return true;
          });
    }
    return roundTrips() - before;
  }

  /** A message that ends a step, after which the client waits. */
  private static long roundTrips() {
    return line().messages().getOrDefault('S', 0L);
  }
}
