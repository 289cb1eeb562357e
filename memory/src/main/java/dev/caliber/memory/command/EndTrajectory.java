package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.OutcomeStatus;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.Trajectory;

/**
 * Command that ends a trajectory: closes its open scopes and states the outcome. Success and
 * partial success complete it, anything else fails it.
 */
public record EndTrajectory(Id trajectory, OutcomeStatus outcome, String summary)
    implements Command<Trajectory> {
  public EndTrajectory {
    TextChecks.requireStorable("summary of an outcome", summary);
  }

  public static EndTrajectory complete(Id trajectory, String summary) {
    return new EndTrajectory(trajectory, OutcomeStatus.SUCCESS, summary);
  }

  public static EndTrajectory fail(Id trajectory, String summary) {
    return new EndTrajectory(trajectory, OutcomeStatus.FAILURE, summary);
  }
}
