package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Workload of every kind of operation that a request can do, repeated. */
public final class HotPathWorkload {

  /** Number of kinds of operations. */
  public static final int EVERY_KIND = 13;

  /** Record with an optional time. */
  record AnimalSighting(String id, Optional<Instant> at) {
    static final Table<AnimalSighting> TABLE =
        Table.of("sighting", "Sightings, for tests.", AnimalSighting.class, AnimalSighting::id)
            .instant("at", animalSighting -> animalSighting.at().orElse(null))
            .index("at");
  }

  private static final int MOST_TOGETHER = 4;

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final Query<Animal> BY_HERD =
      Query.over(ANIMALS, "herd", "legs").equal("red").descending();

  private final RecordStore store;
  private Optional<PageCursor> cursor = Optional.empty();
  private long done;

  /** Returns the tables that the store needs for this workload. */
  public static Table<?>[] tables() {
    return new Table<?>[] {ANIMALS, AnimalSighting.TABLE};
  }

  public HotPathWorkload(RecordStore store) {
    this.store = store;
  }

  /** Runs each kind often enough for every session to have executed it. */
  public void warmUp() {
    run(EVERY_KIND * 50);
  }

  public void run(int operations) {
    for (int i = 0; i < operations; i++) {
      runOperation(done++);
    }
  }

  private void runOperation(long number) {
    String key = "k" + number / EVERY_KIND;
    switch ((int) (number % EVERY_KIND)) {
      case 0 -> putOne(key);
      case 1 -> store.read(SPACE, snapshot -> snapshot.get(ANIMALS, key));
      case 2 -> store.write(SPACE, t -> t.update(ANIMALS, key, a -> a.withLegs(number)));
      case 3 -> store.read(SPACE, snapshot -> snapshot.scan(Query.over(ANIMALS), 10));
      case 4 -> scanNextPage();
      case 5 -> store.read(SPACE, snapshot -> snapshot.count(BY_HERD.from(number - 100)));
      case 6 -> refusedInsert(key);
      case 7 -> store.changes().read(SPACE, new FeedCursor(1, number / EVERY_KIND), 5);
      case 8 -> store.changes().acknowledge(SPACE, "follower", store.changes().head(SPACE));
      case 9 -> putSeveral(number / EVERY_KIND);
      case 10 -> store.read(SPACE, s -> s.findAll(AnimalSighting.TABLE, keys(number / EVERY_KIND)));
      case 11 -> appendLog(key, number / EVERY_KIND);
      default -> store.write(SPACE, t -> t.delete(ANIMALS, "k" + (number / EVERY_KIND - 20)));
    }
  }

  private void putOne(String key) {
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(ANIMALS, Animal.of(key, "x").withHerd("red"));
          transaction.put(ANIMALS, Animal.of(key, "y").withHerd("red"));
        });
  }

  /**
   * Puts one or more records at once. Some exist already; some have a time, some have none, and
   * some get or lose it.
   */
  private void putSeveral(long round) {
    store.write(
        SPACE,
        transaction -> {
          transaction.putAll(
              AnimalSighting.TABLE, numbers(round).mapToObj(i -> sighting(i, round)).toList());
          return transaction.findAll(AnimalSighting.TABLE, keys(round));
        });
  }

  /** Appends one or more lines of a log beside a record. */
  private void appendLog(String key, long round) {
    store.write(
        SPACE,
        transaction -> {
          numbers(round)
              .mapToObj(i -> new AnimalSighting(key + "-" + i, sighting(i, round).at()))
              .forEach(one -> transaction.append(AnimalSighting.TABLE, one));
          return transaction.update(ANIMALS, key, animal -> animal.withLegs(round));
        });
  }

  private static LongStream numbers(long round) {
    return LongStream.rangeClosed(round, round + round % MOST_TOGETHER);
  }

  private static List<String> keys(long round) {
    return numbers(round).mapToObj(i -> "s" + i).toList();
  }

  private static AnimalSighting sighting(long number, long round) {
    Optional<Instant> time = Optional.of(ManualClock.START.plusSeconds(round));
    return new AnimalSighting("s" + number, time.filter(_ -> (number + round) % 3 > 0));
  }

  private void scanNextPage() {
    Query<Animal> query = cursor.map(BY_HERD::resume).orElse(BY_HERD);
    cursor = store.read(SPACE, snapshot -> snapshot.scan(query, 3)).next();
  }

  private void refusedInsert(String key) {
    try {
      store.commit(
          SPACE,
          transaction -> {
            transaction.insert(ANIMALS, Animal.of(key, "again"));
          });
    } catch (StoreException _) {
      // The refusal is a path of its own, and must be as fast.
    }
  }
}
