package dev.caliber.memory;

import dev.caliber.memory.command.SaveCheckpoint;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent.CheckpointSaved;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import java.util.List;
import java.util.Optional;

/** Decides which checkpoints there are. */
final class CheckpointWork {
  private final Desk desk;

  CheckpointWork(Desk desk) {
    this.desk = desk;
  }

  /** For a caller: there is no way back into what is over. */
  Checkpoint saveOpenly(SaveCheckpoint command) {
    Trajectory trajectory = desk.view().trajectory(command.trajectory());
    if (trajectory.status().isTerminal()) {
      throw MemoryException.ended(trajectory);
    }
    Optional<Scope> closed =
        command.scope().map(desk.view()::scope).filter(scope -> !scope.isOpen());
    if (closed.isPresent()) {
      throw desk.over(closed.get());
    }
    return save(command);
  }

  /** For the close, for turns and for policies, also after the end. */
  Checkpoint save(SaveCheckpoint command) {
    Trajectory trajectory = desk.view().trajectory(command.trajectory());
    command.scope().ifPresent(scope -> requireOf(trajectory, desk.view().scope(scope)));
    Checkpoint made =
        new Checkpoint(
            desk.newId(),
            trajectory.id(),
            command.scope(),
            desk.transaction().revision(),
            trajectory.status(),
            desk.view().nextScope(trajectory.id()),
            desk.view().currentScope(trajectory.id()).map(Scope::sequence),
            trajectory.counters().turns(),
            command.window(),
            true,
            desk.now(),
            Optional.empty());
    desk.emit(new CheckpointSaved(made));
    desk.saved(made);
    keepNewest(trajectory);
    return made;
  }

  private void keepNewest(Trajectory trajectory) {
    List<Checkpoint> all = desk.view().checkpoints(trajectory.id());
    int keep = desk.runtime().pcp().checkpoints().retention();
    for (Checkpoint old : all.subList(Math.min(keep, all.size()), all.size())) {
      desk.emit(new RecordRemoved(EntityRef.of(EntityType.CHECKPOINT, old.id())));
    }
  }

  private static void requireOf(Trajectory trajectory, Scope scope) {
    if (!scope.trajectory().equals(trajectory.id())) {
      throw MemoryException.invalid(
          "scope", "one of trajectory " + trajectory.id(), "one of " + scope.trajectory());
    }
  }
}
