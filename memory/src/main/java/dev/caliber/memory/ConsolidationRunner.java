package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.policy.ConsolidationHandler;
import dev.caliber.memory.policy.PolicyRunStarter;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.store.job.BatchSize;
import dev.caliber.store.job.BatchedWork.Batch;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.BatchPlanner;
import dev.caliber.store.job.BatchedWorkRunner;
import dev.caliber.store.job.WorkClaim;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes notes of the artifacts of a trajectory in several commits, for a caller that waits for all
 * of them. Batches after the first belong to a policy run, whose job finishes if the caller
 * crashes.
 */
final class ConsolidationRunner implements BatchPlanner {
  private final UnitOfWorkFactory unitsOfWork;
  private final ConsolidateTrajectory command;
  private final int batch;
  private final Set<Id> notes = new LinkedHashSet<>();
  private ConsolidationHandler.ConsolidationProgress done =
      new ConsolidationHandler.ConsolidationProgress(List.of(), Optional.empty());
  private Optional<PolicyRun> rest = Optional.empty();

  private ConsolidationRunner(
      UnitOfWorkFactory unitsOfWork, ConsolidateTrajectory command, int batch) {
    this.unitsOfWork = unitsOfWork;
    this.command = command;
    this.batch = batch;
  }

  static List<Id> consolidate(
      BatchedWorkRunner batchedWorkRunner,
      UnitOfWorkFactory unitsOfWork,
      SpaceId space,
      ConsolidateTrajectory command,
      int batch) {
    ConsolidationRunner runner = new ConsolidationRunner(unitsOfWork, command, batch);
    batchedWorkRunner.run(space, PolicyRunStarter.JOB, runner, WorkClaim.UNCLAIMED);
    return List.copyOf(runner.notes);
  }

  @Override
  public Batch planNext(BatchSize size) {
    int most = Math.min(size.records(), batch);
    return transaction -> {
      ConsolidationHandler handler = unitsOfWork.dispatcher(transaction).consolidationHandler();
      done =
          rest.map(run -> handler.continueRun(run, most))
              .orElseGet(() -> handler.consolidateFirstBatch(command, most));
      return BatchOutcome.moreIf(done.rest().isPresent());
    };
  }

  @Override
  public int mostRecords() {
    return batch;
  }

  @Override
  public void onCommitted() {
    notes.addAll(done.notes());
    rest = done.rest();
  }
}
