package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides in one snapshot which records a reader with a subject scope sees. A record has its own
 * subject. One without a subject has that of its trajectory, whose records may get their subject in
 * later commits, unless it was promoted. For one thread.
 */
public final class RecordSubjects {
  private final Snapshot snapshot;
  private final Map<Id, Optional<Trajectory>> trajectories = new HashMap<>();

  public RecordSubjects(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** Whether the reader sees the turn; one of a group without a subject may quote several. */
  public boolean sees(SubjectScope scope, Turn turn) {
    return turn.labels().subject().isPresent()
        ? scope.sees(turn.labels())
        : scope.all()
            || trajectory(turn.trajectory()).filter(task -> scope.sees(task.labels())).isPresent();
  }

  /** Whether the reader sees the summary of the scope; that of a group may quote several. */
  public boolean sees(SubjectScope scope, Scope summarized) {
    return scope.sees(summarized.subject()) && seesWords(scope, summarized.trajectory());
  }

  /** Whether the reader sees the artifact. */
  public boolean sees(SubjectScope scope, Artifact made) {
    return scope.sees(made.labels())
        && (made.labels().isSettled()
            || scope.all()
            || trajectory(made.trajectory()).filter(task -> scope.sees(task.labels())).isPresent());
  }

  /** Whether the reader sees the note; several trajectories teach what belongs to no subject. */
  public boolean sees(SubjectScope scope, Note note) {
    return scope.sees(note.labels())
        && (note.labels().isSettled()
            || scope.all()
            || note.sources().size() != 1
            || trajectory(note.sources().getFirst())
                .map(task -> scope.sees(task.labels()))
                .orElse(true));
  }

  /** Words of a trajectory that is gone belong to no reader. */
  private boolean seesWords(SubjectScope scope, Id trajectory) {
    return scope.all()
        || trajectory(trajectory)
            .filter(task -> !task.isGroup() && scope.sees(task.labels()))
            .isPresent();
  }

  private Optional<Trajectory> trajectory(Id id) {
    return trajectories.computeIfAbsent(id, key -> snapshot.find(Trajectory.TABLE, key));
  }
}
