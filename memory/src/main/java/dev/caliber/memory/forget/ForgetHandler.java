package dev.caliber.memory.forget;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.event.MemoryEvent.RecordForgotten;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.ForgottenRecords;
import dev.caliber.memory.view.InputLimits;
import dev.caliber.memory.view.SummaryHistory;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.Jobs;
import java.util.List;

/**
 * Handles forget commands. Records beyond one commit are forgotten by the next call: a container is
 * removed after its content, so that the same command finds the rest.
 */
public final class ForgetHandler {
  private final UnitOfWork unitOfWork;
  private final int most;

  public ForgetHandler(UnitOfWork unitOfWork) {
    this(unitOfWork, unitOfWork.config().limits().batch());
  }

  /** Limits the commit to {@code most} records, without the derived data. */
  public ForgetHandler(UnitOfWork unitOfWork, int most) {
    this.unitOfWork = unitOfWork;
    this.most = most;
  }

  /** Forgets as part of a larger commit, up to the limit of this handler. */
  public ForgetResult forget(ForgetRecords command) {
    new InputLimits(unitOfWork.config().limits()).check(command);
    List<EntityRef> found =
        unitOfWork
            .preCommitModelResults()
            .matchedRecords()
            .flatMap(matched -> command.filter().map(filter -> stillMatching(matched, filter)))
            .orElseGet(
                () ->
                    new ForgetTargetFinder(unitOfWork.view(), most + 1).resolve(command).records());
    List<EntityRef> portion = found.subList(0, Math.min(most, found.size()));
    List<EntityRef> now =
        command.preview() ? portion : portion.stream().filter(this::removePolicyState).toList();
    ForgetPlan forgetPlan = ForgetPlan.of(unitOfWork.view(), now);
    if (!command.preview()) {
      applyPlan(forgetPlan, command.reason());
    }
    return new ForgetResult(
        forgetPlan.records(), command.preview(), now.size() == found.size(), false);
  }

  /** Applies the whole plan in this commit. */
  public void applyPlan(ForgetPlan forgetPlan, String reason) {
    forgetPlan.rewriteSurvivors(unitOfWork);
    for (EntityRef record : forgetPlan.records()) {
      unitOfWork.emit(new RecordForgotten(record, reason, unitOfWork.now()));
    }
    Transaction transaction = unitOfWork.transaction();
    unitOfWork
        .parts()
        .search()
        .ifPresent(search -> search.deleteVectors(transaction, forgetPlan.texts()));
    new DerivedDataPurge(unitOfWork)
        .purgeFirstBatch(
            new ForgottenRecords(forgetPlan.records(), List.copyOf(forgetPlan.trajectories())),
            most);
  }

  /**
   * Removes policy runs and injections of a trajectory before the trajectory itself, up to the
   * limit of one commit; false if more are left.
   */
  public boolean removePolicyState(EntityRef record) {
    return record.type() != EntityType.TRAJECTORY || removePolicyStateOf(record.id());
  }

  private boolean removePolicyStateOf(String trajectory) {
    List<MemoryInjection> injections =
        unitOfWork
            .view()
            .snapshot()
            .list(
                Query.over(MemoryInjection.TABLE, "trajectory", "memory").equal(trajectory), most);
    injections.forEach(made -> unitOfWork.transaction().delete(MemoryInjection.TABLE, made.id()));
    List<PolicyRun> runs =
        unitOfWork
            .view()
            .snapshot()
            .list(Query.over(PolicyRun.TABLE, "trajectory").equal(trajectory), most);
    runs.forEach(this::removePolicyRun);
    return injections.size() < most && runs.size() < most;
  }

  private void removePolicyRun(PolicyRun run) {
    run.job().ifPresent(job -> unitOfWork.transaction().delete(Jobs.TABLE, job));
    unitOfWork.transaction().delete(PolicyRun.TABLE, run.id());
  }

  /**
   * Removes a trajectory and its content, up to the limit of one commit, without tombstones; true
   * when nothing is left of it.
   */
  public boolean removeTrajectory(Trajectory trajectory) {
    ForgetTargetFinder targets = new ForgetTargetFinder(unitOfWork.view(), most + 1);
    targets.addTrajectory(trajectory);
    List<EntityRef> found = targets.records();
    int fitting = fittingCount(found);
    boolean last =
        fitting == found.size()
            && !targets.isFull()
            && removePolicyStateOf(trajectory.id().toString());
    found
        .subList(0, last || targets.isFull() ? fitting : Math.min(fitting, found.size() - 1))
        .forEach(record -> unitOfWork.emit(new RecordRemoved(record)));
    return last;
  }

  /** Returns how many records fit with their past summaries; at least one. */
  private int fittingCount(List<EntityRef> found) {
    int count = 0;
    for (long taken = 0; count < found.size() && taken < most; count++) {
      taken += 1 + pastSummaryCount(found.get(count));
    }
    return count;
  }

  private long pastSummaryCount(EntityRef record) {
    return switch (record.type()) {
      case SCOPE, TRAJECTORY ->
          new SummaryHistory(unitOfWork.view(), Id.parse(record.id())).count();
      case TURN, ARTIFACT, NOTE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> 0;
    };
  }

  /** Returns the records found before this commit that still match. */
  private List<EntityRef> stillMatching(List<EntityRef> found, RecallFilter filter) {
    return found.stream().filter(one -> matches(one, filter)).limit(most + 1L).toList();
  }

  private boolean matches(EntityRef record, RecallFilter filter) {
    return switch (record.type()) {
      case NOTE ->
          unitOfWork
              .transaction()
              .find(Note.TABLE, record.id())
              .filter(filter::matches)
              .isPresent();
      case TURN ->
          unitOfWork
              .transaction()
              .find(Turn.TABLE, record.id())
              .filter(filter::matches)
              .isPresent();
      case ARTIFACT ->
          unitOfWork
              .transaction()
              .find(Artifact.TABLE, record.id())
              .filter(filter::matches)
              .isPresent();
      case TRAJECTORY, SCOPE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> false;
    };
  }
}
