package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Trajectory;
import java.util.List;
import java.util.Optional;

/** Starts a trajectory and opens its first scope. */
public record StartTrajectory(
    String goal, EntityRef initiator, Optional<Id> parent, List<String> tags, Labels labels)
    implements Command<Trajectory> {
  public StartTrajectory {
    Texts.requireFilled("goal", goal);
    tags = List.copyOf(tags);
  }

  public static StartTrajectory of(String goal, EntityRef initiator) {
    return new StartTrajectory(goal, initiator, Optional.empty(), List.of(), Labels.none());
  }

  public StartTrajectory under(Id newParent) {
    return new StartTrajectory(goal, initiator, Optional.of(newParent), tags, labels);
  }

  public StartTrajectory tagged(String... newTags) {
    return new StartTrajectory(goal, initiator, parent, List.of(newTags), labels);
  }

  public StartTrajectory labelled(Labels newLabels) {
    return new StartTrajectory(goal, initiator, parent, tags, newLabels);
  }
}
