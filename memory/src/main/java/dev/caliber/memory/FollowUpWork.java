package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.store.job.BatchSize;
import dev.caliber.store.job.BatchedWork;
import dev.caliber.store.job.BatchedWork.Batch;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.BatchPlanner;
import dev.caliber.store.job.BatchedWork.ScheduledWork;
import dev.caliber.store.job.BatchedWorkRunner;
import dev.caliber.store.job.Jobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Work that a commit has started and that takes further commits, by its kind. The caller of the
 * commit resumes it at once; if the caller fails, its job finishes it.
 */
final class FollowUpWork {
  private final UnitOfWorkFactory unitsOfWork;
  private final Map<String, BatchedWork<?>> works = new HashMap<>();

  FollowUpWork(UnitOfWorkFactory unitsOfWork) {
    this.unitsOfWork = unitsOfWork;
  }

  /** One commit of follow-up work, of at most {@code most} records; true if more is left. */
  interface FollowUpBatch<S> {
    boolean commit(UnitOfWork unitOfWork, S state, int most);
  }

  void add(BatchedWork<?> work) {
    works.put(work.kind(), work);
  }

  <S> void add(
      String kind,
      Class<S> type,
      BatchedWorkRunner batchedWorkRunner,
      FollowUpBatch<S> followUpBatch) {
    add(
        new BatchedWork<>(
            kind, type, (space, state) -> planner(space, state, followUpBatch), batchedWorkRunner));
  }

  void registerJobHandlers(Jobs jobs) {
    works.values().forEach(work -> work.registerHandler(jobs));
  }

  void resume(SpaceId space, ScheduledWork<?> started) {
    Objects.requireNonNull(works.get(started.kind())).resume(space, started);
  }

  /** Returns a planner whose batches may start further work, which it resumes after them. */
  private <S> BatchPlanner planner(SpaceId space, S state, FollowUpBatch<S> followUpBatch) {
    List<ScheduledWork<?>> started = new ArrayList<>();
    return new BatchPlanner() {
      @Override
      public Batch planNext(BatchSize most) {
        return transaction -> {
          started.clear();
          UnitOfWork unitOfWork = unitsOfWork.begin(transaction);
          boolean more = followUpBatch.commit(unitOfWork, state, most.records());
          started.addAll(unitOfWork.followUps());
          return BatchOutcome.moreIf(more);
        };
      }

      @Override
      public void onCommitted() {
        started.forEach(work -> resume(space, work));
      }
    };
  }
}
