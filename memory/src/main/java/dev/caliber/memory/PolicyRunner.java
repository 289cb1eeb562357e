package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.commit.PreCommitModelResults;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.BatchSize;
import dev.caliber.store.job.BatchedWork.Batch;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.BatchPlanner;
import dev.caliber.store.job.BatchedWork.WorkDefinition;
import java.util.Optional;

/**
 * Executes the steps of policy runs, one commit each. The caller of the triggering command executes
 * a run at once; after a crash or a failed step the run's job continues. Both read the position
 * from the run inside the commit, so that no step runs twice.
 */
final class PolicyRunner implements WorkDefinition<Id> {
  private final RecordStore store;
  private final MemoryConfig config;
  private final PreCommitModelCalls preCommitModelCalls;
  private final UnitOfWorkFactory unitsOfWork;

  PolicyRunner(
      RecordStore store,
      MemoryConfig config,
      PreCommitModelCalls preCommitModelCalls,
      UnitOfWorkFactory unitsOfWork) {
    this.store = store;
    this.config = config;
    this.preCommitModelCalls = preCommitModelCalls;
    this.unitsOfWork = unitsOfWork;
  }

  @Override
  public BatchPlanner beginRun(SpaceId space, Id run) {
    return new PolicyRunPlanner(space, run);
  }

  /** Planner of one run, a step in each batch. */
  private final class PolicyRunPlanner implements BatchPlanner {
    private final SpaceId space;
    private final Id id;
    private int mostRecords;

    PolicyRunPlanner(SpaceId space, Id id) {
      this.space = space;
      this.id = id;
    }

    @Override
    public Batch planNext(BatchSize size) {
      Optional<PolicyRun> at = store.read(space, snapshot -> pendingRun(snapshot, id));
      mostRecords = at.map(run -> recordLimit(run.currentStep().action())).orElse(1);
      int most = Math.min(size.records(), mostRecords);
      PreCommitModelResults preCommitModelResults =
          at.map(_ -> preCommitModelCalls.runForPolicyStep(space, id))
              .orElse(PreCommitModelResults.NOTHING);
      return transaction ->
          BatchOutcome.moreIf(advance(transaction, id, preCommitModelResults, most));
    }

    @Override
    public int mostRecords() {
      return mostRecords;
    }
  }

  /** Commits one step, at the position that the run has by then; true if steps are left. */
  private boolean advance(
      Transaction transaction, Id id, PreCommitModelResults preCommitModelResults, int most) {
    return pendingRun(transaction, id)
        .map(
            run ->
                unitsOfWork
                    .dispatcher(unitsOfWork.begin(transaction, preCommitModelResults))
                    .advancePolicyRun(run, most))
        .filter(run -> !run.isDone())
        .isPresent();
  }

  private int recordLimit(PolicyAction action) {
    return switch (action) {
      case PolicyAction.ConsolidateAction _ -> config.consolidationBatch();
      case PolicyAction.PruneAction _ -> config.maintenanceBatch();
      case PolicyAction.SummarizeAction _,
          PolicyAction.ExtractArtifactsAction _,
          PolicyAction.CheckpointAction _,
          PolicyAction.NotifyAction _,
          PolicyAction.InjectAction _ ->
          1;
    };
  }

  private static Optional<PolicyRun> pendingRun(Snapshot snapshot, Id run) {
    return snapshot.find(PolicyRun.TABLE, run).filter(found -> !found.isDone());
  }

  /** Records the failure with the run; an error while doing so is suppressed into the cause. */
  @Override
  public void recordFailure(SpaceId space, Id run, RuntimeException cause) {
    try {
      store.commit(space, transaction -> markFailed(transaction, run, codeOf(cause).text()));
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private static ErrorCode codeOf(RuntimeException e) {
    return e instanceof CaliberException known ? known.code() : MemoryErrorCode.POLICY_FAILED;
  }

  private static void markFailed(Transaction transaction, Id id, String code) {
    pendingRun(transaction, id)
        .ifPresent(
            found -> {
              transaction.put(PolicyRun.TABLE, found.withFailure(code, transaction.now()));
              transaction.append(TraceEvent.TABLE, failureTrace(transaction, found, code));
            });
  }

  private static TraceEvent failureTrace(Transaction transaction, PolicyRun run, String code) {
    return TraceEvent.of(
            transaction,
            "policy_failed",
            EntityRef.of(EntityType.TRAJECTORY, run.trajectory().orElse(run.id())),
            run.trajectory())
        .withScope(run.scope())
        .withDetail(code);
  }
}
