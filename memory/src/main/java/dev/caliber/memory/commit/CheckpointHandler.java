package dev.caliber.memory.commit;

import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.event.MemoryEvent.CheckpointSaved;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import java.util.List;
import java.util.Optional;

/** Saves checkpoints and removes the ones beyond {@code pcp.checkpoints.max-checkpoints}. */
public final class CheckpointHandler {
  private final UnitOfWork unitOfWork;

  public CheckpointHandler(UnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
  }

  /** Saves a checkpoint for a caller; refused after the end of the trajectory or scope. */
  public Checkpoint saveForCaller(SaveCheckpoint command) {
    Trajectory trajectory = unitOfWork.view().trajectory(command.trajectory());
    if (trajectory.status().isTerminal()) {
      throw MemoryException.trajectoryEnded(trajectory);
    }
    Optional<Scope> closed =
        command.scope().map(unitOfWork.view()::scope).filter(scope -> !scope.isOpen());
    if (closed.isPresent()) {
      throw unitOfWork.closedScopeError(closed.get());
    }
    return save(command);
  }

  /** Saves a checkpoint for a close, a turn or a policy, also after the end. */
  public Checkpoint save(SaveCheckpoint command) {
    Trajectory trajectory = unitOfWork.view().trajectory(command.trajectory());
    command
        .scope()
        .ifPresent(scope -> requireScopeOfTrajectory(trajectory, unitOfWork.view().scope(scope)));
    Checkpoint made =
        new Checkpoint(
            unitOfWork.newId(),
            trajectory.id(),
            command.scope(),
            unitOfWork.transaction().revision(),
            trajectory.status(),
            unitOfWork.view().nextScopeSequence(trajectory.id()),
            unitOfWork.view().currentScope(trajectory.id()).map(Scope::sequence),
            trajectory.counters().turns(),
            command.window(),
            true,
            unitOfWork.now(),
            Optional.empty());
    unitOfWork.emit(new CheckpointSaved(made));
    removeExcessCheckpoints(trajectory);
    return made;
  }

  private void removeExcessCheckpoints(Trajectory trajectory) {
    List<Checkpoint> all = unitOfWork.view().checkpoints(trajectory.id());
    int keep = unitOfWork.runtime().pcp().checkpoints().maxCheckpoints();
    for (Checkpoint old : all.subList(Math.min(keep, all.size()), all.size())) {
      unitOfWork.emit(new RecordRemoved(EntityRef.of(EntityType.CHECKPOINT, old.id())));
    }
  }

  private static void requireScopeOfTrajectory(Trajectory trajectory, Scope scope) {
    if (!scope.trajectory().equals(trajectory.id())) {
      throw MemoryException.invalid(
          "scope",
          "a scope of trajectory " + trajectory.id(),
          "a scope of trajectory " + scope.trajectory());
    }
  }
}
