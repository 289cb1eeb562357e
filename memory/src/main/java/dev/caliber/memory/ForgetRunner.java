package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.forget.ForgetHandler;
import dev.caliber.memory.forget.ForgetPlan;
import dev.caliber.memory.forget.ForgetRecordMatcher;
import dev.caliber.memory.forget.ForgetTargetFinder;
import dev.caliber.memory.forget.ForgetTargetFinder.ForgetTarget;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.view.ForgetRequest;
import dev.caliber.memory.view.InputLimits;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.BatchSize;
import dev.caliber.store.job.BatchedWork;
import dev.caliber.store.job.BatchedWork.BatchOutcome;
import dev.caliber.store.job.BatchedWork.ScheduledWork;
import dev.caliber.store.job.BatchedWorkRunner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs forget commands. Records are found and texts compared outside of commits.
 *
 * <p>A small set is forgotten in one commit. A larger one starts with a commit that writes a {@link
 * ForgetRequest}, which hides all of it from every read; batches erase it; the last commit removes
 * the request. A second call for the same records, or a job, finishes what a crashed caller has
 * left.
 */
final class ForgetRunner {
  static final String JOB = "memory.forget";

  /** Number of attempts in one commit while others write; after that several commits are used. */
  private static final int TRIES = 3;

  /** A single-commit forget may use this fraction of a batch. */
  private static final int AT_ONCE_DIVISOR = 4;

  private final RecordStore store;
  private final MemoryConfig config;
  private final UnitOfWorkFactory unitsOfWork;
  private final FollowUpWork followUpWork;
  private final BatchedWork<Id> erasing;

  /** Needs a runner whose store shows hidden records. */
  ForgetRunner(
      MemoryConfig config,
      BatchedWorkRunner batchedWorkRunner,
      UnitOfWorkFactory unitsOfWork,
      FollowUpWork followUpWork) {
    this.store = batchedWorkRunner.store();
    this.config = config;
    this.unitsOfWork = unitsOfWork;
    this.followUpWork = followUpWork;
    this.erasing = new BatchedWork<>(JOB, Id.class, Erasure::new, batchedWorkRunner);
    followUpWork.add(erasing);
  }

  ForgetResult forget(SpaceId space, ForgetRecords command) {
    new InputLimits(config.limits()).check(command);
    if (command.preview()) {
      return read(space, view -> preview(view, command));
    }
    List<EntityRef> gone = tryInOneCommit(space, command).orElseGet(() -> erase(space, command));
    return new ForgetResult(gone, false, true, store.purgeDeleted());
  }

  private Optional<List<EntityRef>> tryInOneCommit(SpaceId space, ForgetRecords command) {
    try {
      for (int i = 0; i < TRIES; i++) {
        Optional<SingleCommitForget> draft = read(space, view -> planSingleCommit(view, command));
        if (draft.isEmpty() || commitIfUnchanged(space, draft.get(), command)) {
          return draft.map(done -> done.plan.records());
        }
      }
      return Optional.empty();
    } catch (CaliberException e) {
      if (e.code().kind() != ErrorKind.LIMIT) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private <T> T read(SpaceId space, Function<MemoryView, T> reading) {
    return store.read(space, snapshot -> reading.apply(MemoryView.of(snapshot, config)));
  }

  private ForgetResult preview(MemoryView view, ForgetRecords command) {
    int most = config.limits().batch();
    List<EntityRef> found = new ForgetTargetFinder(view, most + 1).resolve(command).records();
    List<EntityRef> now = found.subList(0, Math.min(most, found.size()));
    List<EntityRef> gone = ForgetPlan.of(view, now).records();
    return new ForgetResult(gone, true, found.size() <= most, false);
  }

  /** Plan for one commit, valid as long as the sequence of the space is unchanged. */
  private record SingleCommitForget(long sequence, ForgetPlan plan) {}

  /** Plans a forget in one commit; empty if it is too large or a request for it is open. */
  private Optional<SingleCommitForget> planSingleCommit(MemoryView view, ForgetRecords command) {
    if (findOpenRequest(view.snapshot(), command).isPresent()) {
      return Optional.empty();
    }
    BatchSize most = singleCommitSize();
    ForgetTargetFinder targets = new ForgetTargetFinder(view, most.records()).resolve(command);
    long bytes = targets.targets().stream().mapToLong(ForgetTarget::bytes).sum();
    if (targets.isFull() || bytes > most.bytes()) {
      return Optional.empty();
    }
    ForgetPlan forgetPlan = ForgetPlan.of(view, targets.records());
    return forgetPlan.fitsOneCommit(most)
        ? Optional.of(new SingleCommitForget(view.snapshot().sequence(), forgetPlan))
        : Optional.empty();
  }

  private BatchSize singleCommitSize() {
    BatchSize most = config.retention().batches().maximum();
    return new BatchSize(
        Math.max(1, most.records() / AT_ONCE_DIVISOR), most.bytes() / AT_ONCE_DIVISOR);
  }

  /** Applies the plan; false if something was written since it was made. */
  private boolean commitIfUnchanged(
      SpaceId space, SingleCommitForget singleCommitForget, ForgetRecords command) {
    List<ScheduledWork<?>> rest = new ArrayList<>();
    boolean done =
        store.write(
            space,
            transaction -> {
              UnitOfWork unitOfWork = unitsOfWork.begin(transaction);
              ForgetHandler work = new ForgetHandler(unitOfWork, singleCommitSize().records());
              boolean asDecided =
                  transaction.sequence() == singleCommitForget.sequence
                      && singleCommitForget.plan.records().stream()
                          .allMatch(work::removePolicyState);
              if (asDecided) {
                work.applyPlan(singleCommitForget.plan, command.reason());
                rest.addAll(unitOfWork.followUps());
              }
              return asDecided;
            });
    rest.forEach(scheduledWork -> followUpWork.resume(space, scheduledWork));
    return done;
  }

  /** Erases the records in several commits. */
  private List<EntityRef> erase(SpaceId space, ForgetRecords command) {
    ForgetRequest request =
        store.write(
            space,
            transaction ->
                findOpenRequest(transaction, command)
                    .orElseGet(() -> openRequest(transaction, command)));
    Erasure erasure = new Erasure(space, request.id());
    erasing.resume(space, request.job(), erasure);
    return erasure.gone;
  }

  private ForgetRequest openRequest(Transaction transaction, ForgetRecords command) {
    Id id = transaction.newId();
    Id job = erasing.schedule(transaction, id).job();
    ForgetRequest request = new ForgetRequest(id, command, transaction.now(), job);
    request.open(transaction);
    return request;
  }

  /** Finds an open request for the same records. */
  private static Optional<ForgetRequest> findOpenRequest(Snapshot snapshot, ForgetRecords command) {
    return ForgetRequest.openRequests(snapshot).stream()
        .filter(
            one ->
                one.command().id().equals(command.id())
                    && one.command().filter().equals(command.filter()))
        .findFirst();
  }

  /** One pass over a request. */
  private final class Erasure implements BatchedWork.BatchPlanner {
    private final SpaceId space;
    private final Id request;
    private final List<EntityRef> gone = new ArrayList<>();
    private final Deque<ForgetTarget> found = new ArrayDeque<>();
    private final List<ScheduledWork<?>> quoted = new ArrayList<>();

    /** Records of the last commit, and how many of {@code found} were among them. */
    private List<EntityRef> tried = List.of();

    private int triedOfFound;
    private boolean isOver;

    Erasure(SpaceId space, Id request) {
      this.space = space;
      this.request = request;
    }

    @Override
    public BatchedWork.Batch planNext(BatchSize most) {
      quoted.forEach(scheduledWork -> followUpWork.resume(space, scheduledWork));
      quoted.clear();
      BatchedWork.Batch batch = read(space, view -> planNextBatch(view, most));
      if (isOver) {
        store.purgeDeleted();
      }
      return batch;
    }

    private BatchedWork.Batch planNextBatch(MemoryView view, BatchSize most) {
      Optional<ForgetRequest> open = view.snapshot().find(ForgetRequest.TABLE, request);
      if (open.isEmpty()) {
        return _ -> BatchOutcome.DONE;
      }
      ForgetRecordMatcher coverage = ForgetRecordMatcher.of(view.snapshot(), open.get());
      confirmLastCommit(view);
      if (found.isEmpty()) {
        ForgetTargetFinder targets = new ForgetTargetFinder(view, config.limits().list(), coverage);
        found.addAll(targets.resolveExisting(open.get().command()).targets());
      }
      if (found.isEmpty()) {
        isOver = true;
        return this::closeRequest;
      }
      List<EntityRef> batch = nextRecords(most);
      ForgetPlan forgetPlan = fittingPlan(view, coverage, batch, most);
      tried = forgetPlan.records();
      triedOfFound = tried.containsAll(batch) ? batch.size() : 0;
      return transaction -> commitPlan(transaction, forgetPlan, open.get(), most);
    }

    /** Confirms the last commit by the tombstones that it left. */
    private void confirmLastCommit(MemoryView view) {
      if (!tried.isEmpty() && view.tombstone(Id.parse(tried.getFirst().id())).isPresent()) {
        gone.addAll(tried);
        for (int i = 0; i < triedOfFound; i++) {
          found.removeFirst();
        }
      }
      tried = List.of();
    }

    /** Returns the first found records that fit into a commit; at least one. */
    private List<EntityRef> nextRecords(BatchSize most) {
      List<EntityRef> batch = new ArrayList<>();
      long bytes = 0;
      for (ForgetTarget forgetTarget : found) {
        bytes += forgetTarget.bytes();
        if (!batch.isEmpty() && (batch.size() >= most.records() || bytes > most.bytes())) {
          return batch;
        }
        batch.add(forgetTarget.record());
      }
      return batch;
    }

    /**
     * Plans the batch. If it spreads to too many derived records, plans the newest of those first.
     */
    private ForgetPlan fittingPlan(
        MemoryView view, ForgetRecordMatcher coverage, List<EntityRef> batch, BatchSize most) {
      ForgetPlan all = ForgetPlan.ofCovered(coverage, view, batch);
      int spread = all.records().size() - batch.size();
      return spread == 0 || all.fitsOneCommit(most)
          ? all
          : ForgetPlan.ofCovered(
              coverage,
              view,
              all.records().reversed().stream()
                  .limit(Math.min(spread, Math.max(1, all.fittingCount(most))))
                  .toList());
    }

    private BatchOutcome commitPlan(
        Transaction transaction, ForgetPlan forgetPlan, ForgetRequest open, BatchSize most) {
      if (!forgetPlan.isUpToDate(transaction)) {
        return BatchOutcome.OUTDATED;
      }
      UnitOfWork unitOfWork = unitsOfWork.begin(transaction);
      ForgetHandler work = new ForgetHandler(unitOfWork, most.records());
      if (forgetPlan.records().stream().allMatch(work::removePolicyState)) {
        work.applyPlan(forgetPlan, open.command().reason());
        quoted.addAll(unitOfWork.followUps());
      }
      return BatchOutcome.MORE;
    }

    private BatchOutcome closeRequest(Transaction transaction) {
      ForgetRequest.close(transaction, request);
      return BatchOutcome.DONE;
    }
  }
}
