package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.MemoryEvent.ArtifactRestored;
import dev.caliber.memory.MemoryEvent.ArtifactRolledBack;
import dev.caliber.memory.MemoryEvent.RecordRemoved;
import dev.caliber.memory.MemoryEvent.ScopeRolledBack;
import dev.caliber.memory.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.MemoryEvent.TrajectoryMoved;
import dev.caliber.memory.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.MemoryEvent.TurnRolledBack;
import dev.caliber.memory.spi.Summary;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides how a trajectory returns to a checkpoint. */
final class RollBackWork {
  private static final String REASON = "Scope rolled back during checkpoint recovery";

  private final Desk desk;
  private final ScopeWork scopes;

  RollBackWork(Desk desk, ScopeWork scopes) {
    this.desk = desk;
    this.scopes = scopes;
  }

  RolledBack rollBack(RollBack command) {
    Trajectory trajectory = desk.view().trajectory(command.trajectory());
    trajectory.status().after(TrajectoryStatus.Event.RESUME);
    Checkpoint to = checkpoint(command);
    List<Turn> turns = turnsAfter(to);
    List<Artifact> artifacts = artifactsAfter(to);
    turns.forEach(turn -> desk.emit(new TurnRolledBack(turn, desk.now())));
    rollBack(artifacts);
    List<Scope> later = scopesAfter(to);
    later.forEach(this::rollBack);
    unquote(trajectory, turns, later);
    closeActive(to);
    restore(trajectory, to.status());
    dropLater(to);
    Scope next = scopes.open(new OpenScope(trajectory.id()));
    return new RolledBack(
        to.id(),
        trajectory.id(),
        to.createdAt(),
        later.stream().map(Scope::id).toList(),
        turns.size(),
        artifacts.size(),
        next.id(),
        desk.now());
  }

  private Checkpoint checkpoint(RollBack command) {
    List<Checkpoint> all = desk.view().checkpoints(command.trajectory());
    command.checkpoint().ifPresent(id -> requireKnown(all, id));
    return all.stream()
        .filter(Checkpoint::recoverable)
        .filter(one -> command.checkpoint().filter(id -> !id.equals(one.id())).isEmpty())
        .findFirst()
        .orElseThrow(() -> MemoryException.noCheckpoint(command.trajectory()));
  }

  private static void requireKnown(List<Checkpoint> all, Id id) {
    if (all.stream().noneMatch(one -> one.id().equals(id))) {
      throw MemoryException.unknown(EntityType.CHECKPOINT, id);
    }
  }

  private List<Turn> turnsAfter(Checkpoint to) {
    int all = desk.view().trajectory(to.trajectory()).counters().turns();
    return desk.view().turns(to.trajectory(), to.turns(), all).stream()
        .filter(turn -> turn.rolledBackAt().isEmpty())
        .toList();
  }

  private List<Artifact> artifactsAfter(Checkpoint to) {
    return desk.view().artifacts(to.trajectory()).stream()
        .filter(artifact -> artifact.rolledBackAt().isEmpty())
        .filter(artifact -> isAfter(to, artifact.createdAt(), artifact.id()))
        .toList();
  }

  /** What one commit has made is ordered by its ids. */
  private static boolean isAfter(Checkpoint to, Instant time, Id id) {
    int order = time.compareTo(to.createdAt());
    return order > 0 || (order == 0 && id.compareTo(to.id()) > 0);
  }

  private List<Scope> scopesAfter(Checkpoint to) {
    return desk.view().scopes(to.trajectory()).stream()
        .filter(scope -> scope.sequence() >= to.scopes() && scope.rolledBackAt().isEmpty())
        .toList();
  }

  /** What they took the place of is live again. */
  private void rollBack(List<Artifact> artifacts) {
    artifacts.forEach(
        made -> desk.emit(new ArtifactRolledBack(made.trajectory(), made.id(), desk.now())));
    for (Artifact successor : artifacts) {
      for (Artifact old : desk.view().superseded(successor.id())) {
        desk.emit(new ArtifactRestored(old.trajectory(), old.id(), desk.now()));
      }
    }
  }

  private void rollBack(Scope scope) {
    scopes.abandon(scope, REASON);
    desk.emit(new ScopeRolledBack(scope.trajectory(), scope.id(), desk.now()));
  }

  /** Summaries of what stays no longer tell what was rolled back. */
  private void unquote(Trajectory trajectory, List<Turn> turns, List<Scope> later) {
    Set<Id> out = turns.stream().map(Turn::id).collect(Collectors.toSet());
    Set<Id> whole = later.stream().map(Scope::id).collect(Collectors.toSet());
    turns.stream()
        .map(Turn::scope)
        .distinct()
        .filter(scope -> !whole.contains(scope))
        .map(desk.view()::scope)
        .forEach(scope -> unquote(scope, out));
    rest(trajectory.summary(), out)
        .ifPresent(rest -> desk.emit(new TrajectorySummarized(trajectory.id(), rest, desk.now())));
  }

  private void unquote(Scope scope, Set<Id> out) {
    rest(scope.summary(), out)
        .ifPresent(rest -> desk.emit(new ScopeSummarized(scope.trajectory(), scope.id(), rest)));
  }

  private static Optional<Summary> rest(Optional<Summary> summary, Set<Id> out) {
    return summary.flatMap(found -> found.without(out));
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

  /** They speak of positions that no longer count. */
  private void dropLater(Checkpoint to) {
    desk.view().checkpoints(to.trajectory()).stream()
        .filter(one -> isAfter(to, one.createdAt(), one.id()))
        .sorted(Comparator.comparing(Checkpoint::id))
        .forEach(
            one -> desk.emit(new RecordRemoved(EntityRef.of(EntityType.CHECKPOINT, one.id()))));
  }
}
