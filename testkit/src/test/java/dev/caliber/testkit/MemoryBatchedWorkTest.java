package dev.caliber.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.job.BatchSize;
import dev.caliber.store.job.BatchedWork;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.ScheduledWork;
import dev.caliber.store.job.BatchedWorkRunner;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work of several commits: its sizes, its lease, and its completion by caller or job. */
final class MemoryBatchedWorkTest extends StoreFixture {
  private static final BatchSize.BatchLimits RULES =
      new BatchSize.BatchLimits(100, DataSize.parse("8MiB"), Duration.ofSeconds(1));

  private final List<Integer> sizes = new ArrayList<>();
  private Duration slowness = Duration.ZERO;
  private int left;
  private RecordStore store;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  @BeforeEach
  void openStore() {
    store = open();
  }

  private BatchedWork<Id> work() {
    return new BatchedWork<>(
        "test.batches", Id.class, (_, _) -> this::next, new BatchedWorkRunner(store, RULES, clock));
  }

  private BatchedWork.Batch next(BatchSize most) {
    return transaction -> {
      sizes.add(most.records());
      clock.advance(slowness);
      left -= Math.min(left, most.records());
      transaction.delete(Jobs.TABLE, "none");
      return left == 0 ? BatchOutcome.DONE : BatchOutcome.MORE;
    };
  }

  private ScheduledWork<Id> scheduled() {
    return store.write(SPACE, transaction -> work().schedule(transaction, transaction.newId()));
  }

  private long jobs(SpaceId space) {
    return store.read(space, snapshot -> snapshot.count(Query.over(Jobs.TABLE)));
  }

  @Test
  @DisplayName("quick commits are followed by larger ones, and the last one removes the job")
  void grows() {
    left = 300;
    work().resume(SPACE, scheduled());
    assertThat(sizes).containsExactly(32, 64, 100, 100, 100);
    assertThat(jobs(SPACE)).isZero();
  }

  @Test
  @DisplayName("slow commits are followed by smaller ones, down to the first size")
  void shrinks() {
    left = 300;
    ScheduledWork<Id> scheduledWork = scheduled();
    List<Duration> slow = new ArrayList<>(List.of(Duration.ZERO, Duration.ZERO));
    work().resume(SPACE, scheduledWork.job(), most -> slowNext(slow, most));
    assertThat(sizes).startsWith(32, 64, 100, 50, 32, 32);
  }

  private BatchedWork.Batch slowNext(List<Duration> slow, BatchSize most) {
    slowness = slow.isEmpty() ? Duration.ofSeconds(2) : slow.removeFirst();
    return next(most);
  }

  @Test
  @DisplayName("a commit over the time limit is tried once more, with one record")
  void tooLong() {
    left = 300;
    slowness = Duration.ofMinutes(1);
    ScheduledWork<Id> scheduledWork = scheduled();
    assertThatThrownBy(() -> work().resume(SPACE, scheduledWork))
        .isInstanceOf(StoreException.class);
    assertThat(sizes).containsExactly(32, 1);
    assertThat(jobs(SPACE)).isEqualTo(1);
  }

  @Test
  @DisplayName("while the caller has its lease no job runs; after it the job finishes the work")
  void theJobFinishes() {
    left = 300;
    scheduled();
    try (Jobs jobs = Jobs.of(store, config().jobs(), clock)) {
      work().registerHandler(jobs);
      assertThat(jobs.runDue(SPACE)).isZero();
      clock.advance(Duration.ofMinutes(1));
      assertThat(jobs.runDue(SPACE)).isEqualTo(1);
    }
    assertThat(left).isZero();
    assertThat(jobs(SPACE)).isZero();
  }
}
