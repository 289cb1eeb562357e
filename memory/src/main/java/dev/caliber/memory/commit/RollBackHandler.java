package dev.caliber.memory.commit;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.event.MemoryEvent.ArtifactRestored;
import dev.caliber.memory.event.MemoryEvent.ArtifactRolledBack;
import dev.caliber.memory.event.MemoryEvent.CheckpointRecovered;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.event.MemoryEvent.ScopeRolledBack;
import dev.caliber.memory.event.MemoryEvent.TrajectoryStatusChanged;
import dev.caliber.memory.event.MemoryEvent.TurnRolledBack;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Ttl;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.StoreErrorCode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Handles the return of a trajectory to a checkpoint. */
public final class RollBackHandler {
  private static final String REASON = "Scope rolled back during checkpoint recovery";

  private final UnitOfWork unitOfWork;
  private final ScopeHandler scopes;
  private final RuleBasedExtraction ruleBasedExtraction;

  public RollBackHandler(
      UnitOfWork unitOfWork, ScopeHandler scopes, RuleBasedExtraction ruleBasedExtraction) {
    this.unitOfWork = unitOfWork;
    this.scopes = scopes;
    this.ruleBasedExtraction = ruleBasedExtraction;
  }

  /** Records added after a checkpoint, and artifacts that ended since. */
  private record ChangesAfterCheckpoint(
      List<Scope> scopes,
      List<Turn> turns,
      List<Artifact> artifacts,
      List<Artifact> replaced,
      List<Checkpoint> checkpoints) {}

  public RollBackResult rollBack(RollBackTrajectory command) {
    Trajectory trajectory = unitOfWork.view().trajectory(command.trajectory());
    trajectory.status().next(TrajectoryStatus.TrajectoryTransition.RESUME);
    Checkpoint to = targetCheckpoint(command);
    ChangesAfterCheckpoint changesAfterCheckpoint = changesAfter(to);
    return command.preview()
        ? resultOf(to, changesAfterCheckpoint, Optional.empty())
        : resultOf(
            to,
            changesAfterCheckpoint,
            Optional.of(
                runInOneCommit(
                    command, () -> returnToCheckpoint(trajectory, to, changesAfterCheckpoint))));
  }

  /** Runs the commit; a size or time limit of the store becomes a refusal of the return. */
  public static <R> R runInOneCommit(RollBackTrajectory command, Supplier<R> work) {
    try {
      return work.get();
    } catch (CaliberException e) {
      if (e.code() == KernelErrorCode.LIMIT_EXCEEDED
          || e.code() == StoreErrorCode.WRITE_TIMED_OUT) {
        throw MemoryException.rollBackTooLarge(command.trajectory(), e);
      }
      throw e;
    }
  }

  private Id returnToCheckpoint(
      Trajectory trajectory, Checkpoint to, ChangesAfterCheckpoint changesAfterCheckpoint) {
    changesAfterCheckpoint.turns.forEach(
        turn -> unitOfWork.emit(new TurnRolledBack(turn, unitOfWork.now())));
    rollBackArtifacts(changesAfterCheckpoint);
    changesAfterCheckpoint.scopes.forEach(this::rollBackScope);
    rewriteSummaries(trajectory, changesAfterCheckpoint);
    closeActiveScope(to);
    restoreStatus(trajectory, to.status());
    changesAfterCheckpoint.checkpoints.forEach(
        one -> unitOfWork.emit(new RecordRemoved(EntityRef.of(EntityType.CHECKPOINT, one.id()))));
    unitOfWork.emit(new CheckpointRecovered(trajectory.id(), to.id(), unitOfWork.now()));
    return scopes.open(trajectory.id(), scopes.continuationPoint(to)).id();
  }

  private RollBackResult resultOf(
      Checkpoint to, ChangesAfterCheckpoint changesAfterCheckpoint, Optional<Id> next) {
    return new RollBackResult(
        to.id(),
        to.trajectory(),
        to.createdAt(),
        ids(changesAfterCheckpoint.scopes, Scope::id),
        ids(changesAfterCheckpoint.turns, Turn::id),
        ids(changesAfterCheckpoint.artifacts, Artifact::id),
        ids(changesAfterCheckpoint.replaced, Artifact::id),
        ids(changesAfterCheckpoint.checkpoints, Checkpoint::id),
        next,
        unitOfWork.now());
  }

  private static <T> List<Id> ids(List<T> records, Function<T, Id> id) {
    return records.stream().map(id).toList();
  }

  private Checkpoint targetCheckpoint(RollBackTrajectory command) {
    Optional<Checkpoint> found =
        command.checkpoint().isPresent()
            ? Optional.of(requireCheckpoint(command.trajectory(), command.checkpoint().get()))
            : unitOfWork
                .view()
                .first(
                    checkpointsOf(command.trajectory())
                        .descending()
                        .where(Checkpoint::recoverable));
    return found
        .filter(Checkpoint::recoverable)
        .orElseThrow(() -> MemoryException.noCheckpoint(command.trajectory()));
  }

  private Checkpoint requireCheckpoint(Id trajectory, Id id) {
    return Optional.of(unitOfWork.view().checkpoint(id))
        .filter(one -> one.trajectory().equals(trajectory))
        .orElseThrow(() -> MemoryException.unknown(EntityType.CHECKPOINT, id));
  }

  private static Query<Checkpoint> checkpointsOf(Id trajectory) {
    return Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory);
  }

  private ChangesAfterCheckpoint changesAfter(Checkpoint to) {
    List<Artifact> made = madeAfter(to);
    Set<Id> out = made.stream().map(Artifact::id).collect(Collectors.toSet());
    return new ChangesAfterCheckpoint(
        scopesAfter(to), turnsAfter(to), made, endedSince(to, out), checkpointsAfter(to));
  }

  /** Returns all matching records; throws if there are more than one commit may hold. */
  private <T> List<T> allOrRefuse(Checkpoint to, Query<T> query) {
    int most = unitOfWork.config().limits().list();
    List<T> found = unitOfWork.view().snapshot().list(query, most + 1);
    if (found.size() > most) {
      throw MemoryException.rollBackTooLarge(to.id(), most);
    }
    return found;
  }

  private static Query<Artifact> artifactsOf(Checkpoint to) {
    return Query.over(Artifact.TABLE, "trajectory", "created_at").equal(to.trajectory());
  }

  private List<Artifact> madeAfter(Checkpoint to) {
    return allOrRefuse(
        to,
        artifactsOf(to)
            .from(to.createdAt())
            .where(
                made -> made.rolledBackAt().isEmpty() && isAfter(to, made.createdAt(), made.id())));
  }

  /** Scans all older artifacts, of which few match. */
  private List<Artifact> endedSince(Checkpoint to, Set<Id> out) {
    return allOrRefuse(
        to,
        artifactsOf(to)
            .where(
                old ->
                    old.rolledBackAt().isEmpty()
                        && !out.contains(old.id())
                        && (isReplacedSince(old, to, out) || hasEndedSince(old, to))));
  }

  private List<Turn> turnsAfter(Checkpoint to) {
    return allOrRefuse(
        to,
        Query.over(Turn.TABLE, "trajectory", "position")
            .equal(to.trajectory())
            .from((long) to.turns())
            .where(turn -> turn.rolledBackAt().isEmpty()));
  }

  private static boolean isReplacedSince(Artifact old, Checkpoint to, Set<Id> out) {
    return old.supersededBy().filter(out::contains).isPresent()
        || (old.supersededBy().isPresent()
            && old.supersededAt().filter(to.createdAt()::isBefore).isPresent());
  }

  /** Returns whether the artifact ended with its scope after the checkpoint. */
  private static boolean hasEndedSince(Artifact old, Checkpoint to) {
    return old.ttl() instanceof Ttl.ScopeTtl
        && old.expiresAt().filter(to.createdAt()::isBefore).isPresent();
  }

  /** Compares times; records of one commit are ordered by their ids. */
  private static boolean isAfter(Checkpoint to, Instant time, Id id) {
    int order = time.compareTo(to.createdAt());
    return order > 0 || (order == 0 && id.compareTo(to.id()) > 0);
  }

  private List<Scope> scopesAfter(Checkpoint to) {
    return allOrRefuse(
        to,
        Query.over(Scope.TABLE, "trajectory", "sequence")
            .equal(to.trajectory())
            .from((long) to.scopes())
            .where(scope -> scope.rolledBackAt().isEmpty()));
  }

  /** Returns the later checkpoints, whose positions are no longer valid. */
  private List<Checkpoint> checkpointsAfter(Checkpoint to) {
    return allOrRefuse(
        to,
        checkpointsOf(to.trajectory())
            .from(to.createdAt())
            .where(one -> isAfter(to, one.createdAt(), one.id())));
  }

  /** Rolls artifacts back and restores those that they superseded or that ended with a scope. */
  private void rollBackArtifacts(ChangesAfterCheckpoint changesAfterCheckpoint) {
    changesAfterCheckpoint.artifacts.forEach(
        made ->
            unitOfWork.emit(
                new ArtifactRolledBack(made.trajectory(), made.id(), unitOfWork.now())));
    changesAfterCheckpoint.replaced.forEach(
        old -> unitOfWork.emit(new ArtifactRestored(old.trajectory(), old.id(), unitOfWork.now())));
  }

  private void rollBackScope(Scope scope) {
    scopes.closeAbandoned(scope, REASON);
    unitOfWork.emit(new ScopeRolledBack(scope.trajectory(), scope.id(), unitOfWork.now()));
  }

  /** Rewrites summaries so that they no longer contain rolled-back records. */
  private void rewriteSummaries(
      Trajectory trajectory, ChangesAfterCheckpoint changesAfterCheckpoint) {
    Set<Id> whole =
        changesAfterCheckpoint.scopes.stream().map(Scope::id).collect(Collectors.toSet());
    Set<Id> out = new HashSet<>(whole);
    changesAfterCheckpoint.turns.forEach(turn -> out.add(turn.id()));
    changesAfterCheckpoint.artifacts.forEach(artifact -> out.add(artifact.id()));
    SummaryRewriter summaryRewriter =
        SummaryRewriter.withoutRolledBack(unitOfWork, ruleBasedExtraction, out);
    changesAfterCheckpoint.turns.stream()
        .map(Turn::scope)
        .distinct()
        .filter(scope -> !whole.contains(scope))
        .map(unitOfWork.view()::scope)
        .forEach(summaryRewriter::rewriteSummary);
    summaryRewriter.rewriteSummary(trajectory);
  }

  /** Closes the scope that was current at the checkpoint; the trajectory continues in a new one. */
  private void closeActiveScope(Checkpoint to) {
    unitOfWork.view().openScopes(to.trajectory()).stream()
        .filter(scope -> to.activeScope().filter(active -> active == scope.sequence()).isPresent())
        .forEach(scopes::closeWithSummary);
  }

  private void restoreStatus(Trajectory trajectory, TrajectoryStatus status) {
    if (trajectory.status() != status) {
      TrajectoryStatus.TrajectoryTransition trajectoryTransition =
          status == TrajectoryStatus.ACTIVE
              ? TrajectoryStatus.TrajectoryTransition.RESUME
              : TrajectoryStatus.TrajectoryTransition.SUSPEND;
      unitOfWork.emit(
          new TrajectoryStatusChanged(
              trajectory.id(), trajectoryTransition, Optional.empty(), unitOfWork.now()));
    }
  }
}
