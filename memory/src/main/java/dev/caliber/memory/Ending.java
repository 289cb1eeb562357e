package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Continuation;
import dev.caliber.memory.record.MemoryEvent.ArtifactExpired;
import dev.caliber.memory.record.Scope;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Ends artifacts that live no longer than a scope or a task. A commit has a limit, and so has what
 * ends with it. What is more goes at once, in commits of its own; a job is there for the case that
 * nobody is left to do it.
 */
final class Ending {
  static final String JOB = "memory.expire";

  /** What is over: a scope, or without one the whole task. */
  record Over(Id trajectory, Optional<Id> scope) {}

  /**
   * What a commit could not end.
   *
   * @param job does it where nobody else goes on
   */
  record Rest(Over over, Id job) {}

  private final Desk desk;
  private final int batch;

  Ending(Desk desk) {
    this.desk = desk;
    this.batch = desk.config().retention().batch();
  }

  /** In the commit with which it is over. */
  void begin(Over over) {
    if (!end(over)) {
      JobRequest job = JobRequest.of(JOB, Json.text(over), desk.now());
      desk.stillLiving(new Rest(over, Jobs.schedule(desk.transaction(), job)));
    }
  }

  /** The same for whoever goes on at once: with the last of it, there is nothing left to do. */
  boolean goOn(Rest rest) {
    boolean all = goOn(rest.over);
    if (all) {
      desk.transaction().delete(Jobs.TABLE, rest.job);
    }
    return all;
  }

  /** As much as one commit may; true if that was all. */
  boolean goOn(Over over) {
    return over.scope().filter(this::isLiving).isPresent() || end(over);
  }

  private boolean end(Over over) {
    Instant at = over.scope().flatMap(this::closedAt).orElse(desk.now());
    List<Artifact> bound = desk.view().upTo(bound(over), batch + 1);
    bound.stream()
        .limit(batch)
        .map(made -> new ArtifactExpired(made.trajectory(), made.id(), at))
        .forEach(desk::emit);
    return bound.size() <= batch;
  }

  /** All of a scope ends when it is closed, so that a return finds all of it or nothing. */
  private Optional<Instant> closedAt(Id scope) {
    return desk.transaction().find(Scope.TABLE, scope).flatMap(Scope::closedAt);
  }

  private Query<Artifact> bound(Over over) {
    return over.scope()
        .map(
            scope ->
                Query.over(Artifact.TABLE, "scope")
                    .equal(scope)
                    .where(made -> made.isBoundToScope() && made.isLive(desk.now())))
        .orElseGet(
            () ->
                Query.over(Artifact.TABLE, "standing_in", "bound", "created_at")
                    .equal(over.trajectory(), true));
  }

  /** A return may have gone back to before its end: then its task goes on from it. */
  private boolean isLiving(Id scope) {
    return desk.transaction()
        .find(Scope.TABLE, scope)
        .filter(
            found ->
                desk.view().openScopes(found.trajectory()).stream()
                    .anyMatch(open -> goesOnFrom(open, scope)))
        .isPresent();
  }

  private boolean goesOnFrom(Scope open, Id scope) {
    Optional<Scope> next = Optional.of(open);
    while (next.filter(one -> !one.id().equals(scope)).isPresent()) {
      next =
          next.get()
              .continues()
              .map(Continuation::scope)
              .flatMap(id -> desk.transaction().find(Scope.TABLE, id));
    }
    return next.isPresent();
  }
}
