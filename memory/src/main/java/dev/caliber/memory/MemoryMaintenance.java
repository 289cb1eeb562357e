package dev.caliber.memory;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.AbandonedWorkResult;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.BatchSize;
import dev.caliber.store.job.BatchedWork.Batch;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.BatchPlanner;
import dev.caliber.store.job.BatchedWorkRunner;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.job.WorkClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Clean-up of memory. Its job schedules its successor before its own work, so that permanent
 * failures stop nothing else; between two commits its lease is renewed.
 */
final class MemoryMaintenance {
  private static final String TEND = "memory.maintenance";

  private final RecordStore store;
  private final BatchedWorkRunner batchedWorkRunner;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final UnitOfWorkFactory unitsOfWork;

  MemoryMaintenance(
      BatchedWorkRunner batchedWorkRunner,
      MemoryConfig config,
      MemoryDependencies parts,
      UnitOfWorkFactory unitsOfWork) {
    this.store = batchedWorkRunner.store();
    this.batchedWorkRunner = batchedWorkRunner;
    this.config = config;
    this.parts = parts;
    this.unitsOfWork = unitsOfWork;
  }

  void registerJobHandlers(Jobs jobs) {
    jobs.registerHandler(
        TEND,
        run -> {
          scheduleJobs(run.space());
          runMaintenance(run.space(), WorkClaim.ofRun(run));
          return JobEffect.none();
        });
  }

  void scheduleJobs(SpaceId space) {
    store.commit(space, this::scheduleJobs);
  }

  /**
   * Schedules the missing jobs. Each clean-up interval has one deduplication key, so that repeated
   * calls schedule it once.
   */
  private void scheduleJobs(Transaction transaction) {
    new ScheduledPolicies(unitsOfWork.begin(transaction)).scheduleMissingJobs();
    long interval = config.retention().interval().toMillis();
    long slot = transaction.now().toEpochMilli() / interval + 1;
    Jobs.schedule(
        transaction,
        JobRequest.of(TEND, Long.toString(slot), Instant.ofEpochMilli(slot * interval))
            .withDeduplicationKey(Long.toString(slot)));
  }

  /** Runs all steps; the first failure is thrown after the last step. */
  CleanupResult runMaintenance(SpaceId space, WorkClaim workClaim) {
    List<RuntimeException> failures = new ArrayList<>();
    Map<String, Long> removed = new HashMap<>();
    for (CleanupStep step : cleanupSteps()) {
      try {
        removed.merge(step.name(), clean(space, step, workClaim), Long::sum);
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    AbandonedWorkResult abandonedWorkResult = endOrphans(space, workClaim, failures);
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
    return new CleanupResult(abandonedWorkResult, removed);
  }

  private List<CleanupStep> cleanupSteps() {
    List<CleanupStep> steps =
        new ArrayList<>(new MemoryCleanup(config.retention(), unitsOfWork::begin).steps());
    parts
        .search()
        .map(index -> new MemoryCleanup.VectorCleanupStep(store, index))
        .ifPresent(steps::add);
    steps.addAll(parts.extensions().cleanupSteps());
    return steps;
  }

  private long clean(SpaceId space, CleanupStep step, WorkClaim workClaim) {
    CleanupRun cleanupRun = new CleanupRun(space, step);
    batchedWorkRunner.run(space, step.name(), cleanupRun, workClaim);
    return cleanupRun.removed;
  }

  /** One run of a clean-up step; counts the records that its commits have removed. */
  private final class CleanupRun implements BatchPlanner {
    private final SpaceId space;
    private final CleanupStep step;
    private CleanupStep.CleanupProgress last = CleanupStep.CleanupProgress.uncounted(true);
    private long removed;

    CleanupRun(SpaceId space, CleanupStep step) {
      this.space = space;
      this.step = step;
    }

    @Override
    public Batch planNext(BatchSize most) {
      step.prepareBatch(space);
      int batch = Math.min(most.records(), config.maintenanceBatch());
      return transaction -> {
        last = step.clean(transaction, batch);
        return BatchOutcome.moreIf(last.more());
      };
    }

    @Override
    public void onCommitted() {
      removed += last.removed();
    }
  }

  private AbandonedWorkResult endOrphans(
      SpaceId space, WorkClaim workClaim, List<RuntimeException> failures) {
    Instant cutoff = parts.clock().instant().minus(parts.runtime().memory().orphanAfter());
    try {
      return new AbandonedWorkRunner(
              store,
              config,
              transaction -> unitsOfWork.dispatcher(transaction).abandonedWorkHandler())
          .endOrphans(space, cutoff, workClaim);
    } catch (RuntimeException e) {
      failures.add(e);
      return new AbandonedWorkResult(List.of(), List.of());
    }
  }
}
