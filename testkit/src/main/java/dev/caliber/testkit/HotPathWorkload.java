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

/** Every kind of operation that a request can do, over and over. */
public final class HotPathWorkload {

  /** As many operations as there are kinds. */
  public static final int EVERY_KIND = 13;

  /** A record that may have a time. */
  record Sighting(String id, Optional<Instant> at) {
    static final Table<Sighting> TABLE =
        Table.of("sighting", "Sightings, for tests.", Sighting.class, Sighting::id)
            .instant("at", sighting -> sighting.at().orElse(null))
            .index("at");
  }

  private static final int MOST_TOGETHER = 4;

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final Query<Animal> BY_HERD =
      Query.over(ANIMALS, "herd", "legs").equal("red").descending();

  private final RecordStore store;
  private Optional<PageCursor> cursor = Optional.empty();
  private long done;

  /** A store for this work has these tables. */
  public static Table<?>[] tables() {
    return new Table<?>[] {ANIMALS, Sighting.TABLE};
  }

  public HotPathWorkload(RecordStore store) {
    this.store = store;
  }

  /** Runs each kind often enough for every session to have met it. */
  public void warmUp() {
    run(EVERY_KIND * 50);
  }

  public void run(int operations) {
    for (int i = 0; i < operations; i++) {
      one(done++);
    }
  }

  private void one(long number) {
    String key = "k" + number / EVERY_KIND;
    switch ((int) (number % EVERY_KIND)) {
      case 0 -> write(key);
      case 1 -> store.read(SPACE, snapshot -> snapshot.get(ANIMALS, key));
      case 2 -> store.write(SPACE, t -> t.update(ANIMALS, key, a -> a.withLegs(number)));
      case 3 -> store.read(SPACE, snapshot -> snapshot.scan(Query.over(ANIMALS), 10));
      case 4 -> scanOn();
      case 5 -> store.read(SPACE, snapshot -> snapshot.count(BY_HERD.from(number - 100)));
      case 6 -> refusedInsert(key);
      case 7 -> store.changes().read(SPACE, new FeedCursor(1, number / EVERY_KIND), 5);
      case 8 -> store.changes().acknowledge(SPACE, "follower", store.changes().head(SPACE));
      case 9 -> putTogether(number / EVERY_KIND);
      case 10 -> store.read(SPACE, s -> s.findAll(Sighting.TABLE, keys(number / EVERY_KIND)));
      case 11 -> append(key, number / EVERY_KIND);
      default -> store.write(SPACE, t -> t.delete(ANIMALS, "k" + (number / EVERY_KIND - 20)));
    }
  }

  private void write(String key) {
    store.write(
        SPACE,
        transaction -> {
          transaction.insert(ANIMALS, Animal.of(key, "x").inHerd("red"));
          transaction.put(ANIMALS, Animal.of(key, "y").inHerd("red"));
          return true;
        });
  }

  /**
   * One or more at once, of which some are there already; some have a time, some have none, and
   * some get or lose it.
   */
  private void putTogether(long round) {
    store.write(
        SPACE,
        transaction -> {
          transaction.putAll(
              Sighting.TABLE, numbers(round).mapToObj(i -> sighting(i, round)).toList());
          return transaction.findAll(Sighting.TABLE, keys(round));
        });
  }

  /** One line of a log, or some, beside a record. */
  private void append(String key, long round) {
    store.write(
        SPACE,
        transaction -> {
          numbers(round)
              .mapToObj(i -> new Sighting(key + "-" + i, sighting(i, round).at()))
              .forEach(one -> transaction.append(Sighting.TABLE, one));
          return transaction.update(ANIMALS, key, animal -> animal.withLegs(round));
        });
  }

  private static LongStream numbers(long round) {
    return LongStream.rangeClosed(round, round + round % MOST_TOGETHER);
  }

  private static List<String> keys(long round) {
    return numbers(round).mapToObj(i -> "s" + i).toList();
  }

  private static Sighting sighting(long number, long round) {
    Optional<Instant> time = Optional.of(ManualClock.START.plusSeconds(round));
    return new Sighting("s" + number, time.filter(_ -> (number + round) % 3 > 0));
  }

  private void scanOn() {
    Query<Animal> query = cursor.map(BY_HERD::resume).orElse(BY_HERD);
    cursor = store.read(SPACE, snapshot -> snapshot.scan(query, 3)).next();
  }

  private void refusedInsert(String key) {
    try {
      store.write(
          SPACE,
          transaction -> {
            transaction.insert(ANIMALS, Animal.of(key, "again"));
            return true;
          });
    } catch (StoreException _) {
      // The refusal is a path of its own, and must be as quick.
    }
  }
}
