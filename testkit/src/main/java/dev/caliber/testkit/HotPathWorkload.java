package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreException;
import java.util.Optional;

/** Every kind of operation that a request can do, over and over. */
public final class HotPathWorkload {

  /** As many operations as there are kinds. */
  public static final int EVERY_KIND = 10;

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final Query<Animal> BY_HERD =
      Query.over(ANIMALS, "herd", "legs").equal("red").descending();

  private final RecordStore store;
  private Optional<PageCursor> cursor = Optional.empty();
  private long done;

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
