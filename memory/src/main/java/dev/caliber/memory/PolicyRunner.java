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
 * Does the steps of runs, one commit each. The caller whose command set a run off does it at once;
 * after a crash, or when a step failed, the run's job does the rest. Both ask the run itself where
 * it stands, inside the commit, so that no step is done twice.
 */
final class PolicyRunner {
  private final RecordStore store;
  private final MemoryConfig config;
  private final Preparation preparation;
  private final BiFunction<Transaction, Prepared, Desk> desks;
  private final Function<Desk, Operations> operations;

  PolicyRunner(
      RecordStore store,
      MemoryConfig config,
      Preparation preparation,
      BiFunction<Transaction, Prepared, Desk> desks,
      Function<Desk, Operations> operations) {
    this.store = store;
    this.config = config;
    this.preparation = preparation;
    this.desks = desks;
    this.operations = operations;
  }

  /** Until it is done; what a step throws is recorded with the run and thrown on. */
  void finish(SpaceId space, Id run, Upkeep.Pace pace) {
    try {
      Portions portions = new Portions();
      Optional<PolicyRun> at = store.read(space, snapshot -> pending(snapshot, run));
      while (at.isPresent()) {
        at = step(space, at.get(), portions);
        if (at.isPresent()) {
          pace.keep(); // every step is a commit of its own
        }
      }
    } catch (RuntimeException e) {
      note(space, run, e);
      throw e;
    }
  }

  private static Optional<PolicyRun> pending(Snapshot snapshot, Id run) {
    return snapshot.find(PolicyRun.TABLE, run).filter(found -> !found.isDone());
  }

  /** With the run; a failure to do so does not hide what happened. */
  private void note(SpaceId space, Id run, RuntimeException cause) {
    try {
      store.write(space, transaction -> fail(transaction, run, codeOf(cause).text()));
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** The run where it goes on; nothing when nothing is left to do. */
  private Optional<PolicyRun> step(SpaceId space, PolicyRun at, Portions portions) {
    Prepared prepared = preparation.of(space, at.id());
    return switch (at.step().action()) {
      case PolicyAction.Consolidate _ ->
          portions.commit(config.consolidated(), most -> advance(space, at.id(), prepared, most));
      case PolicyAction.Prune _ ->
          portions.commit(config.portion(), most -> advance(space, at.id(), prepared, most));
      case PolicyAction.Summarize _,
          PolicyAction.ExtractArtifacts _,
          PolicyAction.Checkpoint _,
          PolicyAction.Notify _,
          PolicyAction.Inject _ ->
          advance(space, at.id(), prepared, 1);
    };
  }

  /** One commit; another may have come further by now, also to a step of another kind. */
  private Optional<PolicyRun> advance(SpaceId space, Id id, Prepared prepared, int most) {
    return store.write(
        space,
        transaction ->
            pending(transaction, id)
                .map(run -> operations.apply(desks.apply(transaction, prepared)).advance(run, most))
                .filter(run -> !run.isDone()));
  }

  private static ErrorCode codeOf(RuntimeException e) {
    return e instanceof CaliberException known ? known.code() : MemoryErrorCode.POLICY_FAILED;
  }

  private static boolean fail(Transaction transaction, Id id, String code) {
    Optional<PolicyRun> run = pending(transaction, id);
    run.ifPresent(
        found -> {
          transaction.put(PolicyRun.TABLE, found.failed(code, transaction.now()));
          transaction.append(TraceEvent.TABLE, trace(transaction, found, code));
        });
    return run.isPresent();
  }

  private static TraceEvent trace(Transaction transaction, PolicyRun run, String code) {
    return TraceEvent.of(
            transaction,
            "policy_failed",
            EntityRef.of(EntityType.TRAJECTORY, run.trajectory().orElse(run.id())),
            run.trajectory())
        .in(run.scope())
        .saying(code);
  }

  /** Takes back the job of a run that is done: nobody needs to see to it. */
  void release(SpaceId space, Id id) {
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
