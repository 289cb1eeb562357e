package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.memory.command.RollBack;
import dev.caliber.memory.command.RolledBack;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.ArtifactRestored;
import dev.caliber.memory.record.MemoryEvent.ArtifactRolledBack;
import dev.caliber.memory.record.MemoryEvent.CheckpointRecovered;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryEvent.ScopeRolledBack;
import dev.caliber.memory.record.MemoryEvent.TrajectoryMoved;
import dev.caliber.memory.record.MemoryEvent.TurnRolledBack;
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

/** Decides how a trajectory returns to a checkpoint. */
final class RollBackWork {
  private static final String REASON = "Scope rolled back during checkpoint recovery";

  private final Desk desk;
  private final ScopeWork scopes;
  private final Digest digest;

  RollBackWork(Desk desk, ScopeWork scopes, Digest digest) {
    this.desk = desk;
    this.scopes = scopes;
    this.digest = digest;
  }

  /** What came after a checkpoint, and what has ended since. */
  private record Later(
      List<Scope> scopes,
      List<Turn> turns,
      List<Artifact> artifacts,
      List<Artifact> replaced,
      List<Checkpoint> checkpoints) {}

  RolledBack rollBack(RollBack command) {
    Trajectory trajectory = desk.view().trajectory(command.trajectory());
    trajectory.status().after(TrajectoryStatus.Event.RESUME);
    Checkpoint to = checkpoint(command);
    Later later = later(to);
    return command.preview()
        ? told(to, later, Optional.empty())
        : told(to, later, Optional.of(inOneCommit(command, () -> goBack(trajectory, to, later))));
  }

  /** What the store refuses as too much for one commit is what has come since the checkpoint. */
  static <R> R inOneCommit(RollBack command, Supplier<R> work) {
    try {
      return work.get();
    } catch (CaliberException e) {
      if (e.code() == KernelErrorCode.LIMIT_EXCEEDED || e.code() == StoreErrorCode.WRITE_TOO_LONG) {
        throw MemoryException.returnTooFar(command.trajectory(), e);
      }
      throw e;
    }
  }

  private Id goBack(Trajectory trajectory, Checkpoint to, Later later) {
    later.turns.forEach(turn -> desk.emit(new TurnRolledBack(turn, desk.now())));
    rollBack(later);
    later.scopes.forEach(this::rollBack);
    unquote(trajectory, later);
    closeActive(to);
    restore(trajectory, to.status());
    later.checkpoints.forEach(
        one -> desk.emit(new RecordRemoved(EntityRef.of(EntityType.CHECKPOINT, one.id()))));
    desk.emit(new CheckpointRecovered(trajectory.id(), to.id(), desk.now()));
    return scopes.open(trajectory.id(), scopes.continuation(to)).id();
  }

  private RolledBack told(Checkpoint to, Later later, Optional<Id> next) {
    return new RolledBack(
        to.id(),
        to.trajectory(),
        to.createdAt(),
        ids(later.scopes, Scope::id),
        ids(later.turns, Turn::id),
        ids(later.artifacts, Artifact::id),
        ids(later.replaced, Artifact::id),
        ids(later.checkpoints, Checkpoint::id),
        next,
        desk.now());
  }

  private static <T> List<Id> ids(List<T> records, Function<T, Id> id) {
    return records.stream().map(id).toList();
  }

  private Checkpoint checkpoint(RollBack command) {
    Optional<Checkpoint> found =
        command.checkpoint().isPresent()
            ? Optional.of(known(command.trajectory(), command.checkpoint().get()))
            : desk.view()
                .first(
                    checkpoints(command.trajectory()).descending().where(Checkpoint::recoverable));
    return found
        .filter(Checkpoint::recoverable)
        .orElseThrow(() -> MemoryException.noCheckpoint(command.trajectory()));
  }

  private Checkpoint known(Id trajectory, Id id) {
    return Optional.of(desk.view().checkpoint(id))
        .filter(one -> one.trajectory().equals(trajectory))
        .orElseThrow(() -> MemoryException.unknown(EntityType.CHECKPOINT, id));
  }

  private static Query<Checkpoint> checkpoints(Id trajectory) {
    return Query.over(Checkpoint.TABLE, "trajectory", "created_at").equal(trajectory);
  }

  private Later later(Checkpoint to) {
    List<Artifact> made = madeAfter(to);
    Set<Id> out = made.stream().map(Artifact::id).collect(Collectors.toSet());
    return new Later(
        scopesAfter(to), turnsAfter(to), made, endedSince(to, out), checkpointsAfter(to));
  }

  /** Some of what came later: what does not fit into one commit is refused, and says so. */
  private <T> List<T> all(Checkpoint to, Query<T> query) {
    int most = desk.config().limits().records();
    List<T> found = desk.view().upTo(query, most + 1);
    if (found.size() > most) {
      throw MemoryException.returnTooFar(to.id(), most);
    }
    return found;
  }

  private static Query<Artifact> artifacts(Checkpoint to) {
    return Query.over(Artifact.TABLE, "trajectory", "created_at").equal(to.trajectory());
  }

  private List<Artifact> madeAfter(Checkpoint to) {
    return all(
        to,
        artifacts(to)
            .from(to.createdAt())
            .where(
                made -> made.rolledBackAt().isEmpty() && isAfter(to, made.createdAt(), made.id())));
  }

  /** A walk over all that is older, of which few are kept. */
  private List<Artifact> endedSince(Checkpoint to, Set<Id> out) {
    return all(
        to,
        artifacts(to)
            .where(
                old ->
                    old.rolledBackAt().isEmpty()
                        && !out.contains(old.id())
                        && (isReplacedSince(old, to, out) || hasEndedSince(old, to))));
  }

  private List<Turn> turnsAfter(Checkpoint to) {
    return all(
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

  /** Nothing but the end of its scope ends such a one. */
  private static boolean hasEndedSince(Artifact old, Checkpoint to) {
    return old.ttl() instanceof Ttl.Scope
        && old.expiresAt().filter(to.createdAt()::isBefore).isPresent();
  }

  /** What one commit has made is ordered by its ids. */
  private static boolean isAfter(Checkpoint to, Instant time, Id id) {
    int order = time.compareTo(to.createdAt());
    return order > 0 || (order == 0 && id.compareTo(to.id()) > 0);
  }

  private List<Scope> scopesAfter(Checkpoint to) {
    return all(
        to,
        Query.over(Scope.TABLE, "trajectory", "sequence")
            .equal(to.trajectory())
            .from((long) to.scopes())
            .where(scope -> scope.rolledBackAt().isEmpty()));
  }

  /** They speak of positions that no longer count. */
  private List<Checkpoint> checkpointsAfter(Checkpoint to) {
    return all(
        to,
        checkpoints(to.trajectory())
            .from(to.createdAt())
            .where(one -> isAfter(to, one.createdAt(), one.id())));
  }

  /** What they took the place of is live again, and what ended with its scope. */
  private void rollBack(Later later) {
    later.artifacts.forEach(
        made -> desk.emit(new ArtifactRolledBack(made.trajectory(), made.id(), desk.now())));
    later.replaced.forEach(
        old -> desk.emit(new ArtifactRestored(old.trajectory(), old.id(), desk.now())));
  }

  private void rollBack(Scope scope) {
    scopes.abandon(scope, REASON);
    desk.emit(new ScopeRolledBack(scope.trajectory(), scope.id(), desk.now()));
  }

  /** Summaries of what stays no longer tell what was rolled back. */
  private void unquote(Trajectory trajectory, Later later) {
    Set<Id> whole = later.scopes.stream().map(Scope::id).collect(Collectors.toSet());
    Set<Id> out = new HashSet<>(whole);
    later.turns.forEach(turn -> out.add(turn.id()));
    later.artifacts.forEach(artifact -> out.add(artifact.id()));
    Retelling retelling = Retelling.withoutRolledBack(desk, digest, out);
    later.turns.stream()
        .map(Turn::scope)
        .distinct()
        .filter(scope -> !whole.contains(scope))
        .map(desk.view()::scope)
        .forEach(retelling::tell);
    retelling.tell(trajectory);
  }

  /** The scope that was current then is closed: what follows belongs to the new one. */
  private void closeActive(Checkpoint to) {
    desk.view().openScopes(to.trajectory()).stream()
        .filter(scope -> to.activeScope().filter(active -> active == scope.sequence()).isPresent())
        .forEach(scopes::settle);
  }

  private void restore(Trajectory trajectory, TrajectoryStatus status) {
    if (trajectory.status() != status) {
      TrajectoryStatus.Event event =
          status == TrajectoryStatus.ACTIVE
              ? TrajectoryStatus.Event.RESUME
              : TrajectoryStatus.Event.SUSPEND;
      desk.emit(new TrajectoryMoved(trajectory.id(), event, Optional.empty(), desk.now()));
    }
  }
}
