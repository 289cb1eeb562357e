package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.Trajectory;
import java.util.List;
import java.util.Optional;

/**
 * Command that starts a trajectory and opens its first scope.
 *
 * @param group whether it may have turns of several subjects
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
    TextChecks.requireNotBlank("goal", goal);
    tags = List.copyOf(tags);
  }

  /** Creates a command for a trajectory that is not a group. */
  public StartTrajectory(
      String goal, EntityRef initiator, Optional<Id> parent, List<String> tags, Labels labels) {
    this(goal, initiator, parent, tags, labels, false);
  }

  public static StartTrajectory of(String goal, EntityRef initiator) {
    return new StartTrajectory(goal, initiator, Optional.empty(), List.of(), Labels.none());
  }

  public StartTrajectory withParent(Id newParent) {
    return new StartTrajectory(goal, initiator, Optional.of(newParent), tags, labels, group);
  }

  public StartTrajectory withTags(String... newTags) {
    return new StartTrajectory(goal, initiator, parent, List.of(newTags), labels, group);
  }

  public StartTrajectory withLabels(Labels newLabels) {
    return new StartTrajectory(goal, initiator, parent, tags, newLabels, group);
  }

  /**
   * Inherits the subject of a trajectory, or becomes a group if that one is a group and no subject
   * is named. Throws if another subject is named.
   */
  public StartTrajectory withSubjectOf(Trajectory from) {
    from.requireSubject(labels.subject());
    Labels inherited = labels.withDefaults(from.labels().subjectOnly());
    boolean asGroup = group || (from.isGroup() && labels.subject().isEmpty());
    return new StartTrajectory(goal, initiator, parent, tags, inherited, asGroup);
  }

  /**
   * Returns this command for a group: it belongs to no subject, and each turn to the one it names.
   */
  public StartTrajectory asGroup() {
    return new StartTrajectory(goal, initiator, parent, tags, labels, true);
  }
}
