package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ContinuationPoint;
import dev.caliber.memory.record.MemoryEvent.ArtifactExpired;
import dev.caliber.memory.record.Scope;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Expires artifacts bound to a closed scope or an ended trajectory. The closing commit expires one
 * batch; the caller then continues in further commits. A job finishes the rest if the caller
 * crashes.
 */
final class BoundArtifactExpiry {
  static final String JOB = "memory.expire-artifacts";

  /** A closed scope, or an ended trajectory if there is no scope. */
  record ExpiryTarget(Id trajectory, Optional<Id> scope) {}

  /**
   * Artifacts that are left to expire after a commit.
   *
   * @param job expires them if the caller does not continue
   */
  record PendingExpiry(ExpiryTarget over, Id job) {}

  private final UnitOfWork unitOfWork;
  private final int batch;

  BoundArtifactExpiry(UnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
    this.batch = unitOfWork.config().retention().batch();
  }

  /** Expires the first batch in the commit that closes the scope or ends the trajectory. */
  void expireFirstBatch(ExpiryTarget expiryTarget) {
    if (!expireBatch(expiryTarget)) {
      JobRequest job = JobRequest.of(JOB, Json.text(expiryTarget), unitOfWork.now());
      unitOfWork.addPendingExpiry(
          new PendingExpiry(expiryTarget, Jobs.schedule(unitOfWork.transaction(), job)));
    }
  }

  /** Expires the next batch for the caller; the last batch removes the job. */
  boolean continueBatch(PendingExpiry pendingExpiry) {
    boolean all = continueBatch(pendingExpiry.over);
    if (all) {
      unitOfWork.transaction().delete(Jobs.TABLE, pendingExpiry.job);
    }
    return all;
  }

  /** Expires one batch; true if nothing is left. */
  boolean continueBatch(ExpiryTarget expiryTarget) {
    return expiryTarget.scope().filter(this::isContinuedByOpenScope).isPresent()
        || expireBatch(expiryTarget);
  }

  private boolean expireBatch(ExpiryTarget expiryTarget) {
    Instant at = expiryTarget.scope().flatMap(this::closedAt).orElse(unitOfWork.now());
    List<Artifact> bound = unitOfWork.view().firstUpTo(boundArtifacts(expiryTarget), batch + 1);
    bound.stream()
        .limit(batch)
        .map(made -> new ArtifactExpired(made.trajectory(), made.id(), at))
        .forEach(unitOfWork::emit);
    return bound.size() <= batch;
  }

  /**
   * Returns when the scope was closed. All its artifacts expire at that time, so that a rollback
   * restores all of them or none.
   */
  private Optional<Instant> closedAt(Id scope) {
    return unitOfWork.transaction().find(Scope.TABLE, scope).flatMap(Scope::closedAt);
  }

  private Query<Artifact> boundArtifacts(ExpiryTarget expiryTarget) {
    return expiryTarget
        .scope()
        .map(
            scope ->
                Query.over(Artifact.TABLE, "scope")
                    .equal(scope)
                    .where(made -> made.isBoundToScope() && made.isLive(unitOfWork.now())))
        .orElseGet(
            () ->
                Query.over(Artifact.TABLE, "standing_in", "bound", "created_at")
                    .equal(expiryTarget.trajectory(), true));
  }

  /**
   * Checks whether a rollback has reopened the conversation of this scope in another open scope.
   */
  private boolean isContinuedByOpenScope(Id scope) {
    return unitOfWork
        .transaction()
        .find(Scope.TABLE, scope)
        .filter(
            found ->
                unitOfWork.view().openScopes(found.trajectory()).stream()
                    .anyMatch(open -> continuesFrom(open, scope)))
        .isPresent();
  }

  private boolean continuesFrom(Scope open, Id scope) {
    Optional<Scope> next = Optional.of(open);
    while (next.filter(one -> !one.id().equals(scope)).isPresent()) {
      next =
          next.get()
              .continues()
              .map(ContinuationPoint::scope)
              .flatMap(id -> unitOfWork.transaction().find(Scope.TABLE, id));
    }
    return next.isPresent();
  }
}
