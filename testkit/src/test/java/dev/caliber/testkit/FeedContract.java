package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static dev.caliber.testkit.RecordStoreContract.assertRefused;
import static dev.caliber.testkit.RecordStoreContract.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.ChangeFeed;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordChange;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Guarantees of the change feed. */
@EachEngine(schemaPerTest = true)
class FeedContract extends StoreFixture {

  private static final FeedCursor START = new FeedCursor(1, 0);
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void showsEveryCommitOnceInOrderWithItsChanges() {
    RecordStore store = open(ANIMALS, PICTURES);
    put(store, Animal.of("a", "x"));
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(ANIMALS, Animal.of("a", "y"));
          transaction.insert(ANIMALS, Animal.of("b", "x"));
          transaction.put(ANIMALS, Animal.of("b", "changed"));
          transaction.insert(ANIMALS, Animal.of("c", "short life"));
          transaction.delete(ANIMALS, "c");
        });
    store.commit(
        SPACE,
        transaction -> {
          transaction.delete(ANIMALS, "a");
          transaction.insert(ANIMALS, Animal.of("a", "born again"));
          transaction.delete(ANIMALS, "b");
        });
    List<Commit> commits = store.changes().read(SPACE, START, 10);
    assertThat(commits).extracting(Commit::sequence).containsExactly(1L, 2L, 3L);
    assertThat(commits).extracting(Commit::hostCounter).containsExactly(1L, 2L, 3L);
    assertThat(commits).extracting(Commit::host).containsOnly(commits.getFirst().host());
    assertThat(commits).extracting(Commit::time).containsOnly(ManualClock.START);
    assertThat(commits.get(0).changes()).containsExactly(change("a", ChangeKind.CREATED));
    assertThat(commits.get(1).changes())
        .containsExactly(change("a", ChangeKind.UPDATED), change("b", ChangeKind.CREATED));
    assertThat(commits.get(2).changes())
        .containsExactly(change("a", ChangeKind.UPDATED), change("b", ChangeKind.DELETED));
  }

  @Test
  void quietTablesLeaveAnEntryWithoutChanges() {
    RecordStore store = open(ANIMALS, PICTURES);
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(PICTURES, RecordStoreContract.picture("p", "sea"));
        });
    store.write(SPACE, transaction -> transaction.find(ANIMALS, "nothing was written"));
    put(store, Animal.of("a", "x"));
    List<Commit> commits = store.changes().read(SPACE, START, 10);
    assertThat(commits).hasSize(2);
    assertThat(commits.get(0).changes()).isEmpty();
    assertThat(commits.get(1).changes()).hasSize(1);
  }

  @Test
  void goesOnFromACursor() {
    RecordStore store = open(ANIMALS);
    for (int i = 0; i < 5; i++) {
      put(store, Animal.of("a" + i, "x"));
    }
    ChangeFeed feed = store.changes();
    List<Commit> first = feed.read(SPACE, START, 2);
    FeedCursor cursor = new FeedCursor(1, first.getLast().sequence());
    assertThat(feed.read(SPACE, cursor, 10))
        .extracting(Commit::sequence)
        .containsExactly(3L, 4L, 5L);
    assertThat(feed.head(SPACE)).isEqualTo(new FeedCursor(1, 5));
    assertThat(feed.read(SPACE, feed.head(SPACE), 10)).isEmpty();
  }

  @Test
  void wakesWhoeverWaitsForTheNextCommit() throws Exception {
    RecordStore store = open(ANIMALS);
    store.createSpace(OTHER);
    CountDownLatch waiting = new CountDownLatch(2);
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("follower-", 0).factory())) {
      List<Future<List<Commit>>> followers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        followers.add(
            threads.submit(
                () -> {
                  waiting.countDown();
                  return store.changes().await(SPACE, START, 10, LONG);
                }));
      }
      waiting.await();
      store.commit(
          OTHER,
          transaction -> {
            transaction.insert(ANIMALS, Animal.of("elsewhere", "x"));
          });
      put(store, Animal.of("a", "x"));
      for (Future<List<Commit>> follower : followers) {
        assertThat(follower.get()).hasSize(1);
      }
    }
    assertThat(store.changes().await(SPACE, new FeedCursor(1, 1), 10, Duration.ofMillis(1)))
        .isEmpty();
  }

  @Test
  void keepsCommitsForFollowersAndForTheRetention() {
    RecordStore store = open(ANIMALS);
    ChangeFeed feed = store.changes();
    for (int i = 0; i < 4; i++) {
      put(store, Animal.of("a" + i, "x"));
    }
    assertThat(feed.trim(SPACE)).isZero();
    clock.advance(config().feed().retention().plusSeconds(1));
    put(store, Animal.of("late", "x"));
    feed.acknowledge(SPACE, "slow", new FeedCursor(1, 2));
    assertThat(feed.followerCursor(SPACE, "slow")).contains(new FeedCursor(1, 2));
    assertThat(feed.trim(SPACE)).isEqualTo(2);
    assertThat(feed.oldestCursor(SPACE)).isEqualTo(new FeedCursor(1, 2));
    assertThat(feed.read(SPACE, new FeedCursor(1, 2), 10)).hasSize(3);
    assertRefused(
        StoreErrorCode.FEED_TRUNCATED,
        () -> feed.read(SPACE, START, 10),
        "begins at epoch 1, commit 2");
    feed.forgetFollower(SPACE, "slow");
    assertThat(feed.followerCursor(SPACE, "slow")).isEmpty();
    assertThat(feed.trim(SPACE)).isEqualTo(2);
    assertThat(feed.head(SPACE).sequence()).isEqualTo(5);
    put(store, Animal.of("next", "x"));
    assertThat(feed.read(SPACE, new FeedCursor(1, 5), 10)).hasSize(1);
  }

  @Test
  void dropsOldCommitsByItself() {
    RecordStore store =
        open(
            config ->
                config.with(
                    "store.feed.retention = '0s'",
                    "store.feed.follower-expiry = '1m'",
                    "store.feed.trim-interval = '1ms'",
                    "store.feed.page-limit = 2",
                    "store.feed.poll-interval = '10ms'"),
            ANIMALS);
    for (int i = 0; i < 5; i++) {
      put(store, Animal.of("a" + i, "x"));
      clock.advance(Duration.ofMillis(1));
    }
    while (store.changes().oldestCursor(SPACE).sequence() < 5) {
      Thread.onSpinWait();
    }
    assertThat(store.changes().head(SPACE).sequence()).isEqualTo(5);
  }

  @Test
  void aFollowerThatFellSilentIsNoLongerWaitedFor() {
    RecordStore store = open(ANIMALS);
    ChangeFeed feed = store.changes();
    put(store, Animal.of("a", "x"));
    feed.acknowledge(SPACE, "gone", START);
    clock.advance(config().feed().followerExpiry().plusSeconds(1));
    assertThat(feed.trim(SPACE)).isEqualTo(1);
    assertThat(feed.followerCursor(SPACE, "gone")).isEmpty();
  }

  @Test
  void refusesACursorThatTheSpaceNeverGave() {
    RecordStore store = open(ANIMALS);
    put(store, Animal.of("a", "x"));
    assertRefused(
        StoreErrorCode.FEED_TRUNCATED,
        () -> store.changes().read(SPACE, new FeedCursor(1, 99), 10));
    assertRefused(
        StoreErrorCode.FEED_TRUNCATED, () -> store.changes().read(SPACE, new FeedCursor(2, 1), 10));
    assertRefused(StoreErrorCode.SPACE_NOT_FOUND, () -> store.changes().head(OTHER));
    assertRefused(
        StoreErrorCode.SPACE_NOT_FOUND,
        () -> store.changes().await(OTHER, START, 1, Duration.ZERO));
  }

  @Test
  void watchersHearOfTheirTableOnly() {
    RecordStore store = open(ANIMALS, PICTURES);
    List<Object> heard = new ArrayList<>();
    try (ChangeFeed.FeedSubscription _ = store.changes().subscribe(ANIMALS, heard::add)) {
      store.commit(
          SPACE,
          transaction -> {
            transaction.insert(PICTURES, RecordStoreContract.picture("p", "sea"));
          });
      put(store, Animal.of("a", "x"));
      put(store, Animal.of("b", "x"));
    }
    put(store, Animal.of("c", "unheard"));
    assertThat(heard).containsExactly(SPACE, SPACE);
  }

  @Test
  void watchersHearOfTheirKindsOfChangeOnly() {
    RecordStore store = open(ANIMALS);
    List<Object> heard = new ArrayList<>();
    try (ChangeFeed.FeedSubscription _ =
        store.changes().subscribe(ANIMALS, Set.of(ChangeKind.DELETED), heard::add)) {
      put(store, Animal.of("a", "x"));
      put(store, Animal.of("a", "y"));
      assertThat(heard).isEmpty();
      store.write(SPACE, transaction -> transaction.delete(ANIMALS, "a"));
    }
    assertThat(heard).containsExactly(SPACE);
  }

  private static RecordChange change(String key, ChangeKind kind) {
    return new RecordChange("animal", key, kind);
  }
}
