package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryErrorCode;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Executes the steps of policy runs, one commit each. The caller of the triggering command executes
 * a run at once; after a crash or a failed step the run's job continues. Both read the position
 * from the run inside the commit, so that no step runs twice.
 */
final class PolicyRunner {
  private final RecordStore store;
  private final MemoryConfig config;
  private final PreCommitModelCalls preCommitModelCalls;
  private final BiFunction<Transaction, PreCommitModelResults, UnitOfWork> unitOfWorkFactory;
  private final Function<UnitOfWork, CommandDispatcher> operations;

  PolicyRunner(
      RecordStore store,
      MemoryConfig config,
      PreCommitModelCalls preCommitModelCalls,
      BiFunction<Transaction, PreCommitModelResults, UnitOfWork> unitOfWorkFactory,
      Function<UnitOfWork, CommandDispatcher> operations) {
    this.store = store;
    this.config = config;
    this.preCommitModelCalls = preCommitModelCalls;
    this.unitOfWorkFactory = unitOfWorkFactory;
    this.operations = operations;
  }

  /** Runs all steps; a failure is recorded with the run and rethrown. */
  void runToEnd(SpaceId space, Id run, MemoryMaintenance.JobLeaseKeeper jobLeaseKeeper) {
    try {
      AdaptiveBatchSize adaptiveBatchSize = new AdaptiveBatchSize();
      Optional<PolicyRun> at = store.read(space, snapshot -> pendingRun(snapshot, run));
      while (at.isPresent()) {
        at = runStep(space, at.get(), adaptiveBatchSize);
        if (at.isPresent()) {
          jobLeaseKeeper.renewLease(); // every step is a commit of its own
        }
      }
    } catch (RuntimeException e) {
      recordFailure(space, run, e);
      throw e;
    }
  }

  private static Optional<PolicyRun> pendingRun(Snapshot snapshot, Id run) {
    return snapshot.find(PolicyRun.TABLE, run).filter(found -> !found.isDone());
  }

  /** Records the failure; an error while doing so is suppressed into the cause. */
  private void recordFailure(SpaceId space, Id run, RuntimeException cause) {
    try {
      store.write(space, transaction -> markFailed(transaction, run, codeOf(cause).text()));
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Executes one step; returns the run if steps are left. */
  private Optional<PolicyRun> runStep(
      SpaceId space, PolicyRun at, AdaptiveBatchSize adaptiveBatchSize) {
    PreCommitModelResults preCommitModelResults =
        preCommitModelCalls.runForPolicyStep(space, at.id());
    return switch (at.currentStep().action()) {
      case PolicyAction.ConsolidateAction _ ->
          adaptiveBatchSize.runCommit(
              config.consolidationBatch(),
              most -> advance(space, at.id(), preCommitModelResults, most));
      case PolicyAction.PruneAction _ ->
          adaptiveBatchSize.runCommit(
              config.maintenanceBatch(),
              most -> advance(space, at.id(), preCommitModelResults, most));
      case PolicyAction.SummarizeAction _,
          PolicyAction.ExtractArtifactsAction _,
          PolicyAction.CheckpointAction _,
          PolicyAction.NotifyAction _,
          PolicyAction.InjectAction _ ->
          advance(space, at.id(), preCommitModelResults, 1);
    };
  }

  /** Commits one step, at the position that the run has by then. */
  private Optional<PolicyRun> advance(
      SpaceId space, Id id, PreCommitModelResults preCommitModelResults, int most) {
    return store.write(
        space,
        transaction ->
            pendingRun(transaction, id)
                .map(
                    run ->
                        operations
                            .apply(unitOfWorkFactory.apply(transaction, preCommitModelResults))
                            .advancePolicyRun(run, most))
                .filter(run -> !run.isDone()));
  }

  private static ErrorCode codeOf(RuntimeException e) {
    return e instanceof CaliberException known ? known.code() : MemoryErrorCode.POLICY_FAILED;
  }

  private static boolean markFailed(Transaction transaction, Id id, String code) {
    Optional<PolicyRun> run = pendingRun(transaction, id);
    run.ifPresent(
        found -> {
          transaction.put(PolicyRun.TABLE, found.withFailure(code, transaction.now()));
          transaction.append(TraceEvent.TABLE, failureTrace(transaction, found, code));
        });
    return run.isPresent();
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

  /** Removes the job of a completed run. */
  void removeJob(SpaceId space, Id id) {
    store.write(
        space,
        transaction ->
            transaction
                .find(PolicyRun.TABLE, id)
                .filter(PolicyRun::isDone)
                .flatMap(PolicyRun::job)
                .map(job -> transaction.delete(Jobs.TABLE, job))
                .orElse(false));
  }
}
