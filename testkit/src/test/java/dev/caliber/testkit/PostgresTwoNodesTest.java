package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two stores on one server, as two server processes would be. */
@Tag("postgres")
final class PostgresTwoNodesTest extends StoreFixture {

  private static final Duration LONG = Duration.ofMinutes(1);
  private final StoreConfig.PostgresSettings engine = TestEngines.postgres();

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }

  @Test
  void aLongWriteHoldsBackItsOwnSpaceOnlyAndNothingIsShownLate() throws Exception {
    RecordStore first = open(ANIMALS);
    RecordStore second = open(ANIMALS);
    first.createSpace(OTHER);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (ExecutorService threads = threads()) {
      Future<?> slow =
          threads.submit(
              () ->
                  first.commit(
                      SPACE,
                      transaction -> {
                        transaction.insert(ANIMALS, Animal.of("slow", "x"));
                        inside.countDown();
                        awaitUninterruptibly(release);
                      }));
      inside.await();
      Future<Boolean> behind = threads.submit(() -> insert(second, SPACE, "behind"));
      insert(second, OTHER, "beside");
      assertThat(first.changes().read(OTHER, new FeedCursor(1, 0), 10)).hasSize(1);
      assertThat(second.changes().read(SPACE, new FeedCursor(1, 0), 10)).isEmpty();
      release.countDown();
      slow.get();
      assertThat(behind.get()).isTrue();
    }
    for (RecordStore store : List.of(first, second)) {
      assertThat(store.changes().read(SPACE, new FeedCursor(1, 0), 10))
          .extracting(commit -> commit.changes().getFirst().key())
          .containsExactly("slow", "behind");
    }
  }

  @Test
  void aFollowerOnOneNodeSeesTheCommitsOfBothDenseAndInOrder() throws Exception {
    RecordStore first = open(ANIMALS);
    RecordStore second = open(ANIMALS);
    int perNode = 100;
    RandomSource randomSource = RandomSource.seeded(SEED);
    try (ExecutorService threads = threads()) {
      Future<List<Long>> follower =
          threads.submit(
              () -> {
                List<Long> seen = new ArrayList<>();
                FeedCursor cursor = new FeedCursor(1, 0);
                while (seen.size() < 2 * perNode) {
                  for (Commit commit : first.changes().await(SPACE, cursor, 7, LONG)) {
                    seen.add(commit.sequence());
                    cursor = new FeedCursor(1, commit.sequence());
                  }
                }
                return seen;
              });
      List<Future<Boolean>> writers = new ArrayList<>();
      for (RecordStore node : List.of(first, second)) {
        String name = "writer%d-".formatted(writers.size());
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < perNode; i++) {
                    String key = name + i;
                    node.commit(
                        SPACE,
                        transaction -> {
                          LockSupport.parkNanos(randomSource.nextInt(2_000_000));
                          transaction.insert(ANIMALS, Animal.of(key, "x"));
                        });
                  }
                  return true;
                }));
      }
      for (Future<Boolean> writer : writers) {
        writer.get();
      }
      assertThat(follower.get())
          .isEqualTo(LongStream.rangeClosed(1, 2L * perNode).boxed().toList());
    }
  }

  @Test
  void aWriteSeesWhatTheOtherNodeHasWritten() {
    RecordStore first = open(ANIMALS);
    RecordStore second = open(ANIMALS);
    insert(first, SPACE, "a");
    for (long legs = 1; legs <= 3; legs++) {
      assertThat(legs(first, legs)).isEqualTo(legs);
      assertThat(second.write(SPACE, t -> t.get(ANIMALS, "a")).legs()).isEqualTo(legs);
    }
  }

  private static long legs(RecordStore store, long legs) {
    return store.write(SPACE, t -> t.update(ANIMALS, "a", a -> a.withLegs(legs))).legs();
  }

  @Test
  void aWatcherHearsOfTheOtherNode() throws Exception {
    RecordStore first = open(ANIMALS);
    RecordStore second = open(ANIMALS);
    CountDownLatch heard = new CountDownLatch(1);
    try (var _ = first.changes().subscribe(ANIMALS, _ -> heard.countDown())) {
      insert(second, SPACE, "a");
      heard.await();
    }
    assertThat(first.changes().head(SPACE).sequence()).isEqualTo(1);
  }

  @Test
  void aNoticeThatNamesNoSpaceIsIgnored() throws Exception {
    RecordStore first = open(ANIMALS);
    RecordStore second = open(ANIMALS);
    first.createSpace(OTHER);
    CountDownLatch listening = new CountDownLatch(1);
    CountDownLatch heard = new CountDownLatch(1);
    try (var _ =
        first
            .changes()
            .subscribe(ANIMALS, space -> (space.equals(OTHER) ? heard : listening).countDown())) {
      insert(second, SPACE, "a");
      assertThat(listening.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      RawSql.executePostgres(engine, "NOTIFY %s_changes, 'No Space,,!'".formatted(engine.schema()));
      RawSql.executePostgres(engine, "NOTIFY %s_changes".formatted(engine.schema()));
      insert(second, OTHER, "b");
      assertThat(heard.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private static boolean insert(RecordStore store, SpaceId space, String key) {
    return store.write(
        space,
        transaction -> {
          transaction.insert(ANIMALS, Animal.of(key, "x"));
          return true;
        });
  }

  private static ExecutorService threads() {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("node-", 0).factory());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
