package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import dev.caliber.testkit.HotPathWorkload.AnimalSighting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Count, on the wire, of the round trips to the server. */
final class PostgresRoundTripsTest extends PostgresWireFixture {

  private static final int MANY = 500;

  @Test
  @DisplayName("records written together take a few round trips, however many they are")
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
  @DisplayName("a line of a log is sent with its commit, and several lines together")
  void whatIsAppendedTravelsWithTheCommit() {
    RecordStore store = open(ANIMALS, AnimalSighting.TABLE);
    long plain = tripsOf(store, (t, key) -> t.insert(ANIMALS, Animal.of(key, "Adam")));
    long logged =
        tripsOf(
            store,
            (transaction, key) -> {
              transaction.insert(ANIMALS, Animal.of("logged " + key, "Berta"));
              transaction.append(AnimalSighting.TABLE, sighting(key));
            });
    assertThat(logged).as("beside %d without", plain).isLessThan(plain + MANY / 2);
    long before = roundTrips();
    store.commit(
        SPACE,
        transaction -> {
          IntStream.range(0, MANY)
              .forEach(i -> transaction.append(AnimalSighting.TABLE, sighting("together " + i)));
        });
    assertThat(roundTrips() - before).isLessThan(MANY / 10);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(AnimalSighting.TABLE))))
        .isEqualTo(2 * MANY);
  }

  @Test
  @DisplayName("rows read by one writer are cached for every writer, whichever has the next turn")
  void writersKnowTheSame() {
    RecordStore store =
        open(config -> config.withEngine(ofWriters(4, engine())), ANIMALS, AnimalSighting.TABLE);
    RecordStoreContract.put(store, Animal.of("cat", "Tom"));
    long plain = tripsOf(store, (t, key) -> t.append(AnimalSighting.TABLE, sighting(key)));
    long asking =
        tripsOf(
            store,
            (transaction, key) -> {
              String name = transaction.get(ANIMALS, "cat").name();
              transaction.append(AnimalSighting.TABLE, sighting(name + key));
            });
    assertThat(asking).as("beside %d without", plain).isLessThan(plain + MANY / 2);
  }

  private static AnimalSighting sighting(String key) {
    return new AnimalSighting(key, Optional.empty());
  }

  /** Returns the round trips of a number of writes; notifications use other connections. */
  private static long tripsOf(RecordStore store, BiConsumer<Transaction, String> work) {
    long before = roundTrips();
    for (int i = 0; i < MANY; i++) {
      String key = "k" + i;
      store.commit(
          SPACE,
          transaction -> {
            work.accept(transaction, key);
          });
    }
    return roundTrips() - before;
  }

  /** Returns the number of messages that end a step, after which the client waits. */
  private static long roundTrips() {
    return line().messageCounts().getOrDefault('S', 0L);
  }
}
