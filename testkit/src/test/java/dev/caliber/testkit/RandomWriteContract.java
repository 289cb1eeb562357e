package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.RandomSource;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordChange;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract of random writes, some of them failing, compared with a map: records, indexes and feed
 * must agree.
 */
@EachEngine(schemaPerTest = true)
class RandomWriteContract extends StoreFixture {

  private static final int WRITES = 150;
  private static final int KEYS = 25;

  private final TreeMap<String, Animal> model = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void recordsIndexesAndFeedAgreeWithAMap(long seed) {
    RandomSource randomSource = RandomSource.seeded(SEED + seed);
    RecordStore store = open(ANIMALS);
    for (int i = 0; i < WRITES; i++) {
      randomWrite(store, randomSource);
    }
    List<Animal> all = List.copyOf(model.values());
    assertThat(QueryContract.allPages(store, Query.over(ANIMALS), 10)).isEqualTo(all);
    assertThat(QueryContract.allPages(store, Query.over(ANIMALS, "name"), 7))
        .isEqualTo(sortedAnimals(all, Comparator.comparing(Animal::name)));
    assertThat(QueryContract.allPages(store, Query.over(ANIMALS, "seen_at").descending(), 7))
        .isEqualTo(sortedAnimals(all, Comparator.comparing(Animal::seenAt)).reversed());
    for (String herd : List.of("red", "blue")) {
      List<Animal> inHerd = all.stream().filter(a -> a.herd().equals(Optional.of(herd))).toList();
      assertThat(QueryContract.allPages(store, Query.over(ANIMALS, "herd", "legs").equal(herd), 3))
          .isEqualTo(sortedAnimals(inHerd, Comparator.comparingLong(Animal::legs)));
    }
    assertThat(keysByFeed(store)).isEqualTo(model.keySet());
  }

  private void randomWrite(RecordStore store, RandomSource randomSource) {
    Map<String, Animal> after = new TreeMap<>(model);
    boolean fails = randomSource.nextInt(5) == 0;
    try {
      store.commit(
          SPACE,
          transaction -> {
            int operations = 1 + randomSource.nextInt(4);
            for (int i = 0; i < operations; i++) {
              randomOperation(transaction, randomSource, after);
            }
            if (fails) {
              throw new IllegalStateException("on purpose");
            }
          });
      model.clear();
      model.putAll(after);
    } catch (IllegalStateException e) {
      assertThat(fails).as(e.toString()).isTrue();
    }
  }

  private static void randomOperation(
      Transaction transaction, RandomSource randomSource, Map<String, Animal> after) {
    String key = "k%02d".formatted(randomSource.nextInt(KEYS));
    Animal animal = randomAnimal(key, randomSource);
    switch (randomSource.nextInt(5)) {
      case 0 -> assertThat(transaction.delete(ANIMALS, key)).isEqualTo(after.remove(key) != null);
      case 1 -> {
        if (!after.containsKey(key)) {
          transaction.insert(ANIMALS, animal);
          after.put(key, animal);
        }
      }
      case 2 -> {
        if (!after.containsKey(key)) {
          transaction.append(ANIMALS, animal);
          after.put(key, animal);
        }
      }
      case 3 -> {
        if (after.containsKey(key)) {
          after.put(key, transaction.update(ANIMALS, key, a -> a.withLegs(a.legs() + 1)));
        }
      }
      default -> {
        transaction.put(ANIMALS, animal);
        after.put(key, animal);
      }
    }
    if (randomSource.nextInt(2) == 0) {
      assertThat(transaction.find(ANIMALS, key)).isEqualTo(Optional.ofNullable(after.get(key)));
    }
  }

  private static Animal randomAnimal(String key, RandomSource randomSource) {
    List<Optional<String>> herds =
        List.of(Optional.empty(), Optional.of("red"), Optional.of("blue"));
    return new Animal(
        key,
        "name" + randomSource.nextInt(5),
        herds.get(randomSource.nextInt(3)),
        randomSource.nextInt(4),
        randomSource.nextDouble(),
        randomSource.nextInt(2) == 0,
        ManualClock.START.plusSeconds(randomSource.nextInt(5)));
  }

  private static List<Animal> sortedAnimals(List<Animal> animals, Comparator<Animal> order) {
    return animals.stream().sorted(order.thenComparing(Animal::id)).toList();
  }

  /** Returns the keys known to a follower that has only ever read the feed. */
  private static Set<String> keysByFeed(RecordStore store) {
    Set<String> keys = new HashSet<>();
    List<Commit> commits = new ArrayList<>();
    FeedCursor cursor = new FeedCursor(1, 0);
    do {
      commits.clear();
      commits.addAll(store.changes().read(SPACE, cursor, 20));
      for (Commit commit : commits) {
        assertThat(commit.sequence()).isEqualTo(cursor.sequence() + 1);
        cursor = new FeedCursor(1, commit.sequence());
        commit.changes().forEach(recordChange -> applyChange(recordChange, keys));
      }
    } while (!commits.isEmpty());
    return keys;
  }

  private static void applyChange(RecordChange recordChange, Set<String> keys) {
    boolean known = keys.contains(recordChange.key());
    assertThat(known)
        .as(recordChange.toString())
        .isEqualTo(recordChange.kind() != ChangeKind.CREATED);
    if (recordChange.kind() == ChangeKind.DELETED) {
      keys.remove(recordChange.key());
    } else {
      keys.add(recordChange.key());
    }
  }
}
