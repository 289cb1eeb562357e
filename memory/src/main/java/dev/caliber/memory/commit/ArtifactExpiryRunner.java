package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.memory.event.MemoryEvent.ArtifactExpired;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.ContinuationPoint;
import dev.caliber.memory.record.Scope;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Expires artifacts bound to a closed scope or an ended trajectory. The closing commit expires one
 * batch; the caller then continues in further commits. A job finishes the rest if the caller
 * crashes.
 */
public final class ArtifactExpiryRunner {
  public static final String JOB = "memory.expire-artifacts";

  /** A closed scope, or an ended trajectory if there is no scope. */
  public record ExpiryTarget(Id trajectory, Optional<Id> scope) {}

  private final UnitOfWork unitOfWork;

  public ArtifactExpiryRunner(UnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
  }

  /** Expires the first batch in the commit that closes the scope or ends the trajectory. */
  void expireFirstBatch(ExpiryTarget expiryTarget) {
    if (expireBatch(expiryTarget, unitOfWork.config().retention().batch())) {
      unitOfWork.startFollowUp(JOB, expiryTarget);
    }
  }

  /** Expires the next batch; true if more is left. */
  public boolean continueBatch(ExpiryTarget expiryTarget, int most) {
    return expiryTarget.scope().filter(this::isContinuedByOpenScope).isEmpty()
        && expireBatch(expiryTarget, most);
  }

  private boolean expireBatch(ExpiryTarget expiryTarget, int most) {
    Instant at = expiryTarget.scope().flatMap(this::closedAt).orElse(unitOfWork.now());
    List<Artifact> bound =
        unitOfWork.view().snapshot().list(boundArtifacts(expiryTarget), most + 1);
    bound.stream()
        .limit(most)
        .map(made -> new ArtifactExpired(made.trajectory(), made.id(), at))
        .forEach(unitOfWork::emit);
    return bound.size() > most;
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
