package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Trajectory;
import java.util.List;
import java.util.Optional;

/**
 * Starts a trajectory and opens its first scope.
 *
 * @param group whether turns of several subjects may be in it
 */
public record StartTrajectory(
    String goal,
    EntityRef initiator,
    Optional<Id> parent,
    List<String> tags,
    Labels labels,
    boolean group)
    implements Command<Trajectory> {
  public StartTrajectory {
    Texts.requireFilled("goal", goal);
    tags = List.copyOf(tags);
  }

  /** Of a trajectory that is no group. */
  public StartTrajectory(
      String goal, EntityRef initiator, Optional<Id> parent, List<String> tags, Labels labels) {
    this(goal, initiator, parent, tags, labels, false);
  }

  public static StartTrajectory of(String goal, EntityRef initiator) {
    return new StartTrajectory(goal, initiator, Optional.empty(), List.of(), Labels.none());
  }

  public StartTrajectory under(Id newParent) {
    return new StartTrajectory(goal, initiator, Optional.of(newParent), tags, labels, group);
  }

  public StartTrajectory tagged(String... newTags) {
    return new StartTrajectory(goal, initiator, parent, List.of(newTags), labels, group);
  }

  public StartTrajectory labelled(Labels newLabels) {
    return new StartTrajectory(goal, initiator, parent, tags, newLabels, group);
  }

  /**
   * With the subject of this trajectory, or as a group where this one is a group and no subject is
   * named. A subject that is not the trajectory's own is refused.
   */
  public StartTrajectory inheriting(Trajectory from) {
    from.requireSubject(labels.subject());
    Labels inherited = labels.or(from.labels().subjectOnly());
    boolean asGroup = group || (from.isGroup() && labels.subject().isEmpty());
    return new StartTrajectory(goal, initiator, parent, tags, inherited, asGroup);
  }

  /** For several subjects: it belongs to none, and each turn to the subject that it names. */
  public StartTrajectory asGroup() {
    return new StartTrajectory(goal, initiator, parent, tags, labels, true);
  }
}
