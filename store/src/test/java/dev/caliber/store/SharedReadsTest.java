package dev.caliber.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
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

  private final SharedReads reads = new SharedReads();
  private final AtomicInteger read = new AtomicInteger();

  private static SharedReads.Wish wish(FeedCursor after, long changes, long newerThan) {
    return new SharedReads.Wish(after, 10, changes, newerThan);
  }

  private SharedReads.Found find(SharedReads.Wish wish) throws InterruptedException {
    return reads.read(SpaceId.DEFAULT, wish, this::commits);
  }

  private List<Commit> commits() {
    read.incrementAndGet();
    return List.of();
  }

  @Test
  @DisplayName("what was read for one place is taken by whoever wants the same")
  void sharesWhatFits() throws InterruptedException {
    SharedReads.Found first = find(wish(START, 3, 0));
    assertThat(find(wish(START, 3, 0))).isSameAs(first);
    assertThat(find(wish(START, 2, 0))).isSameAs(first);
    assertThat(read).hasValue(1);
  }

  @Test
  @DisplayName("another place, a change since, and a look after a pause are read anew")
  void readsWhatDoesNotFit() throws InterruptedException {
    SharedReads.Found first = find(wish(START, 3, 0));
    assertThat(find(wish(NEXT, 3, 0))).isNotSameAs(first);
    SharedReads.Found changed = find(wish(START, 4, 0));
    assertThat(changed).isNotSameAs(first);
    SharedReads.Found looked = find(wish(START, 4, changed.number()));
    assertThat(looked.number()).isGreaterThan(changed.number());
    assertThat(find(new SharedReads.Wish(START, 1, 4, 0))).isNotSameAs(looked);
    assertThat(read).hasValue(5);
  }

  @Test
  @DisplayName("a full page belongs to who is behind")
  void keepsNoFullPage() throws InterruptedException {
    SharedReads.Wish one = new SharedReads.Wish(START, 1, 1, 0);
    Supplier<List<Commit>> full =
        () -> {
          read.incrementAndGet();
          return List.of(
              new Commit(
                  SpaceId.DEFAULT, 1, Id.deterministic("host"), 1, Instant.EPOCH, List.of()));
        };
    assertThat(reads.read(SpaceId.DEFAULT, one, full).commits()).hasSize(1);
    assertThat(reads.read(SpaceId.DEFAULT, one, full).commits()).hasSize(1);
    assertThat(read).hasValue(2);
  }

  @Test
  @DisplayName("a read that fails is nobody else's")
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
  @DisplayName("of those who come at once, one reads")
  void readsOnceForAll() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(FOLLOWERS);
    List<Commit> found =
        List.of(
            new Commit(SpaceId.DEFAULT, 1, Id.deterministic("host"), 1, Instant.EPOCH, List.of()));
    Supplier<List<Commit>> slow =
        () -> {
          begun.countDown();
          await(all);
          read.incrementAndGet();
          return found;
        };
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("follower-", 0).factory())) {
      List<Future<SharedReads.Found>> followers = new ArrayList<>();
      for (int i = 0; i < FOLLOWERS; i++) {
        followers.add(
            threads.submit(
                () -> {
                  all.countDown();
                  return reads.read(SpaceId.DEFAULT, wish(START, 1, 0), slow);
                }));
      }
      begun.await();
      for (Future<SharedReads.Found> follower : followers) {
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
