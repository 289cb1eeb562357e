package dev.caliber.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SharedReadsTest {
  private static final FeedCursor START = new FeedCursor(1, 0);
  private static final FeedCursor NEXT = new FeedCursor(1, 1);
  private static final int FOLLOWERS = 20;

  private final SharedFeedReader reads = new SharedFeedReader();
  private final AtomicInteger read = new AtomicInteger();

  private static SharedFeedReader.FeedReadRequest wish(
      FeedCursor after, long changes, long newerThan) {
    return new SharedFeedReader.FeedReadRequest(after, 10, changes, newerThan);
  }

  private SharedFeedReader.FeedReadResult find(SharedFeedReader.FeedReadRequest feedReadRequest)
      throws InterruptedException {
    return reads.read(SpaceId.DEFAULT, feedReadRequest, this::commits);
  }

  private List<Commit> commits() {
    read.incrementAndGet();
    return List.of();
  }

  @Test
  @DisplayName("a read is shared by all followers at the same position")
  void sharesWhatFits() throws InterruptedException {
    SharedFeedReader.FeedReadResult first = find(wish(START, 3, 0));
    assertThat(find(wish(START, 3, 0))).isSameAs(first);
    assertThat(find(wish(START, 2, 0))).isSameAs(first);
    assertThat(read).hasValue(1);
  }

  @Test
  @DisplayName("another position, a later change and a request after a pause cause a new read")
  void readsWhatDoesNotFit() throws InterruptedException {
    SharedFeedReader.FeedReadResult first = find(wish(START, 3, 0));
    assertThat(find(wish(NEXT, 3, 0))).isNotSameAs(first);
    SharedFeedReader.FeedReadResult changed = find(wish(START, 4, 0));
    assertThat(changed).isNotSameAs(first);
    SharedFeedReader.FeedReadResult looked = find(wish(START, 4, changed.number()));
    assertThat(looked.number()).isGreaterThan(changed.number());
    assertThat(find(new SharedFeedReader.FeedReadRequest(START, 1, 4, 0))).isNotSameAs(looked);
    assertThat(read).hasValue(5);
  }

  @Test
  @DisplayName("a full page is not shared: its follower lags behind")
  void keepsNoFullPage() throws InterruptedException {
    SharedFeedReader.FeedReadRequest one = new SharedFeedReader.FeedReadRequest(START, 1, 1, 0);
    Supplier<List<Commit>> full =
        () -> {
          read.incrementAndGet();
          return List.of(
              new Commit(SpaceId.DEFAULT, 1, Id.derivedFrom("host"), 1, Instant.EPOCH, List.of()));
        };
    assertThat(reads.read(SpaceId.DEFAULT, one, full).commits()).hasSize(1);
    assertThat(reads.read(SpaceId.DEFAULT, one, full).commits()).hasSize(1);
    assertThat(read).hasValue(2);
  }

  @Test
  @DisplayName("a failed read is not shared")
  void keepsNoFailure() throws InterruptedException {
    Supplier<List<Commit>> failing =
        () -> {
          throw StoreException.closed();
        };
    assertThatThrownBy(() -> reads.read(SpaceId.DEFAULT, wish(START, 1, 0), failing))
        .isInstanceOf(StoreException.class);
    assertThat(find(wish(START, 1, 0)).commits()).isEmpty();
  }

  @Test
  @DisplayName("of several followers at once, one reads")
  void readsOnceForAll() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(FOLLOWERS);
    List<Commit> found =
        List.of(
            new Commit(SpaceId.DEFAULT, 1, Id.derivedFrom("host"), 1, Instant.EPOCH, List.of()));
    Supplier<List<Commit>> slow =
        () -> {
          begun.countDown();
          await(all);
          read.incrementAndGet();
          return found;
        };
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("follower-", 0).factory())) {
      List<Future<SharedFeedReader.FeedReadResult>> followers = new ArrayList<>();
      for (int i = 0; i < FOLLOWERS; i++) {
        followers.add(
            threads.submit(
                () -> {
                  all.countDown();
                  return reads.read(SpaceId.DEFAULT, wish(START, 1, 0), slow);
                }));
      }
      begun.await();
      for (Future<SharedFeedReader.FeedReadResult> follower : followers) {
        assertThat(follower.get().commits()).isSameAs(found);
      }
    }
    assertThat(read).hasValue(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
