package dev.caliber.memory.recall;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Visibility of records in one snapshot for a reader with a subject scope. A record has its own
 * subject, or else that of its trajectory, whose records may get it in later commits, unless it was
 * promoted. For one thread.
 */
public final class RecordVisibility {
  private final Snapshot snapshot;
  private final Map<Id, Optional<Trajectory>> trajectories = new HashMap<>();

  public RecordVisibility(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** Returns whether the reader sees the turn; in a group it may quote several subjects. */
  public boolean isVisible(ReadableSubjects scope, Turn turn) {
    return turn.labels().subject().isPresent()
        ? scope.includes(turn.labels())
        : scope.all()
            || trajectory(turn.trajectory())
                .filter(task -> scope.includes(task.labels()))
                .isPresent();
  }

  /** Returns whether the reader sees the summary; in a group it may quote several subjects. */
  public boolean isVisible(ReadableSubjects scope, Scope summarized) {
    return scope.includes(summarized.subject()) && isTextVisible(scope, summarized.trajectory());
  }

  /** Returns whether the reader sees the artifact. */
  public boolean isVisible(ReadableSubjects scope, Artifact made) {
    return scope.includes(made.labels())
        && (made.labels().hasOwnSubject()
            || scope.all()
            || trajectory(made.trajectory())
                .filter(task -> scope.includes(task.labels()))
                .isPresent());
  }

  /** Returns whether the reader sees the note; several source trajectories make it shared. */
  public boolean isVisible(ReadableSubjects scope, Note note) {
    return scope.includes(note.labels())
        && (note.labels().hasOwnSubject()
            || scope.all()
            || note.sources().size() != 1
            || trajectory(note.sources().getFirst())
                .map(task -> scope.includes(task.labels()))
                .orElse(true));
  }

  /** Returns whether the reader sees its text; a restricted one does not after its removal. */
  private boolean isTextVisible(ReadableSubjects scope, Id trajectory) {
    return scope.all()
        || trajectory(trajectory)
            .filter(task -> !task.isGroup() && scope.includes(task.labels()))
            .isPresent();
  }

  private Optional<Trajectory> trajectory(Id id) {
    return trajectories.computeIfAbsent(id, key -> snapshot.find(Trajectory.TABLE, key));
  }
}
