package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryView;
import java.util.List;
import java.util.Optional;

/** State of a trajectory, for debugging. */
public record TrajectoryOverview(
    Trajectory trajectory,
    List<Scope> scopes,
    Optional<Scope> activeScope,
    long artifactCount,
    long noteCount,
    int checkpointCount) {
  public TrajectoryOverview {
    scopes = List.copyOf(scopes);
  }

  static TrajectoryOverview of(MemoryView view, Id trajectory) {
    return new TrajectoryOverview(
        view.trajectory(trajectory),
        view.scopes(trajectory),
        view.currentScope(trajectory),
        view.countArtifacts(trajectory),
        view.countNotes(trajectory),
        view.checkpoints(trajectory).size());
  }
}
