package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.RecordStoreContract.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Contract of many writers and readers at once. */
@EachEngine(schemaPerTest = true)
class ConcurrencyContract extends StoreFixture {

  private static final int WRITERS = 16;
  private static final int ROUNDS = 25;
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Table<Animal> SAID =
      Table.of("said", "What was said of animals, for tests.", Animal.class, Animal::id);

  @Test
  void noUpdateIsLost() throws Exception {
    RecordStore store = open(ANIMALS);
    put(store, Animal.of("counter", "x").withLegs(0));
    runAtOnce(
        WRITERS,
        _ -> {
          for (int i = 0; i < ROUNDS; i++) {
            store.write(SPACE, t -> t.update(ANIMALS, "counter", a -> a.withLegs(a.legs() + 1)));
          }
          return true;
        });
    assertThat(store.read(SPACE, s -> s.get(ANIMALS, "counter")).legs())
        .isEqualTo((long) WRITERS * ROUNDS);
  }

  @Test
  void aFollowerSeesADenseFeedWhileWritersWorkInTwoSpaces() throws Exception {
    RecordStore store = open(ANIMALS);
    store.createSpace(OTHER);
    int expected = WRITERS / 2 * ROUNDS;
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("follower-", 0).factory())) {
      List<Future<List<Long>>> followers = new ArrayList<>();
      for (SpaceId space : List.of(SPACE, OTHER)) {
        followers.add(threads.submit(() -> follow(store, space, expected)));
      }
      runAtOnce(
          WRITERS,
          writer -> {
            SpaceId space = writer % 2 == 0 ? SPACE : OTHER;
            for (int i = 0; i < ROUNDS; i++) {
              String key = "w%d-%d".formatted(writer, i);
              store.commit(
                  space,
                  transaction -> {
                    transaction.insert(ANIMALS, Animal.of(key, "x"));
                  });
            }
            return true;
          });
      for (Future<List<Long>> follower : followers) {
        assertThat(follower.get()).isEqualTo(LongStream.rangeClosed(1, expected).boxed().toList());
      }
    }
  }

  @Test
  void aSnapshotDoesNotMoveWhileOthersWrite() throws Exception {
    RecordStore store = open(ANIMALS);
    put(store, Animal.of("left", "x").withLegs(0));
    put(store, Animal.of("right", "x").withLegs(0));
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("follower-", 0).factory())) {
      Future<Boolean> reader =
          threads.submit(
              () -> {
                while (!done.get()) {
                  store.read(
                      SPACE,
                      snapshot -> {
                        long left = snapshot.get(ANIMALS, "left").legs();
                        long sequence = snapshot.sequence();
                        long right = snapshot.get(ANIMALS, "right").legs();
                        assertThat(left + right).isZero();
                        assertThat(snapshot.sequence()).isEqualTo(sequence);
                        return true;
                      });
                }
                return true;
              });
      for (int i = 0; i < ROUNDS * 4; i++) {
        store.write(
            SPACE,
            transaction -> {
              transaction.update(ANIMALS, "left", a -> a.withLegs(a.legs() + 1));
              return transaction.update(ANIMALS, "right", a -> a.withLegs(a.legs() - 1));
            });
      }
      done.set(true);
      assertThat(reader.get()).isTrue();
    }
  }

  @Test
  void arefusedWriteDoesNotHarmItsNeighbours() throws Exception {
    RecordStore store = open(ANIMALS, SAID);
    runAtOnce(
        WRITERS,
        writer -> {
          for (int i = 0; i < ROUNDS; i++) {
            boolean fails = (writer + i) % 3 == 0;
            String key = "w%d-%d".formatted(writer, i);
            try {
              store.commit(
                  SPACE,
                  transaction -> {
                    transaction.insert(ANIMALS, Animal.of(key, fails ? "bad" : "good"));
                    transaction.append(SAID, Animal.of(key, fails ? "bad" : "good"));
                    if (fails) {
                      transaction.insert(ANIMALS, Animal.of(key, "again"));
                    }
                  });
            } catch (StoreException e) {
              assertThat(e.code()).isEqualTo(StoreErrorCode.INSERT_FAILED);
              assertThat(fails).isTrue();
            }
          }
          return true;
        });
    long good = store.read(SPACE, s -> s.count(Query.over(ANIMALS, "name").equal("good")));
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS)))).isEqualTo(good);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(SAID)))).isEqualTo(good);
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(good);
  }

  @Test
  void aWriteSeesWhatOthersOfItsGroupHaveAppended() throws Exception {
    RecordStore store = open(ANIMALS, SAID);
    runAtOnce(
        WRITERS,
        writer -> {
          for (int i = 0; i < ROUNDS; i++) {
            boolean fails = (writer + i) % 3 == 0;
            int count = (writer + i) % 5 % 3; // some only read
            try {
              store.write(SPACE, transaction -> appendNext(transaction, count, fails));
            } catch (IllegalStateException e) {
              assertThat(e).hasMessage("changed my mind");
            }
          }
          return true;
        });
    long all = store.read(SPACE, s -> s.count(Query.over(SAID)));
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS)))).isEqualTo(all);
    List<String> keys =
        store.read(SPACE, s -> s.scan(Query.over(SAID), (int) all)).records().stream()
            .map(Animal::id)
            .toList();
    assertThat(keys)
        .isEqualTo(LongStream.range(0, all).mapToObj(ConcurrencyContract::key).toList());
  }

  /** Appends this many consecutive numbers. */
  private static long appendNext(Transaction transaction, int count, boolean fails) {
    long before = transaction.count(Query.over(SAID));
    for (long i = before; i < before + count; i++) {
      transaction.append(SAID, Animal.of(key(i), "x"));
      transaction.append(ANIMALS, Animal.of(key(i), "x"));
    }
    if (fails) {
      throw new IllegalStateException("changed my mind");
    }
    return before;
  }

  private static String key(long number) {
    return "%06d".formatted(number);
  }

  @Test
  void noUpdateRestsOnOneThatWasRefused() throws Exception {
    RecordStore store = open(ANIMALS);
    put(store, Animal.of("counter", "x").withLegs(0));
    runAtOnce(
        WRITERS,
        writer -> {
          for (int i = 0; i < ROUNDS; i++) {
            boolean fails = (writer + i) % 3 == 0;
            try {
              store.write(SPACE, transaction -> incrementCounter(transaction, fails));
            } catch (IllegalStateException e) {
              assertThat(e).hasMessage("changed my mind");
            }
          }
          return true;
        });
    assertThat(store.read(SPACE, s -> s.get(ANIMALS, "counter")).legs())
        .isEqualTo(store.changes().head(SPACE).sequence() - 1);
  }

  /** Increments the counter and reads it. */
  private static long incrementCounter(Transaction transaction, boolean fails) {
    transaction.update(ANIMALS, "counter", animal -> animal.withLegs(animal.legs() + 1));
    long seen = transaction.get(ANIMALS, "counter").legs();
    if (fails) {
      throw new IllegalStateException("changed my mind");
    }
    return seen;
  }

  @Test
  void aWriteKnowsTheCommitBeforeItEvenInsideAGroup() throws Exception {
    RecordStore store = open(ANIMALS);
    runAtOnce(
        WRITERS,
        writer -> {
          for (int i = 0; i < ROUNDS; i++) {
            String key = "w%d-%d".formatted(writer, i);
            store.commit(
                SPACE,
                transaction -> {
                  assertThat(transaction.sequence()).isEqualTo(transaction.revision() - 1);
                  assertThat(transaction.count(Query.over(ANIMALS)))
                      .isEqualTo(transaction.sequence());
                  transaction.insert(ANIMALS, Animal.of(key, "x"));
                });
          }
          return true;
        });
  }

  @Test
  void everyWriteGetsARevisionOfItsOwn() throws Exception {
    RecordStore store = open(ANIMALS);
    Set<Long> revisions = new HashSet<>();
    for (List<Long> own :
        runAtOnce(
            WRITERS,
            writer -> {
              List<Long> mine = new ArrayList<>();
              for (int i = 0; i < ROUNDS; i++) {
                String key = "w%d-%d".formatted(writer, i);
                mine.add(
                    store.write(
                        SPACE,
                        transaction -> {
                          transaction.insert(ANIMALS, Animal.of(key, "x"));
                          return transaction.revision();
                        }));
              }
              return mine;
            })) {
      assertThat(own).isSorted();
      revisions.addAll(own);
    }
    assertThat(revisions).hasSize(WRITERS * ROUNDS);
  }

  private static List<Long> follow(RecordStore store, SpaceId space, int expected)
      throws InterruptedException {
    List<Long> seen = new ArrayList<>();
    FeedCursor cursor = new FeedCursor(1, 0);
    while (seen.size() < expected) {
      for (Commit commit : store.changes().await(space, cursor, 10, LONG)) {
        seen.add(commit.sequence());
        cursor = new FeedCursor(1, commit.sequence());
      }
    }
    return seen;
  }

  /** Task of each of several platform threads, given its number. */
  interface NumberedTask<T> {
    T run(int number) throws Exception;
  }

  /**
   * Runs the task on all threads at once and returns the results; the first failure is rethrown.
   */
  static <T> List<T> runAtOnce(int threads, NumberedTask<T> numberedTask) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService pool =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().name("test-", 0).factory())) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        Callable<T> task =
            () -> {
              start.await();
              return numberedTask.run(number);
            };
        running.add(pool.submit(task));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get());
      }
      return results;
    }
  }
}
