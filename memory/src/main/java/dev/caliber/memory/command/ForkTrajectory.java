package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Trajectory;

/**
 * Starts a trajectory that goes on from a checkpoint of another one, which stays as it is and
 * becomes the parent.
 */
public record ForkTrajectory(Id checkpoint, StartTrajectory start) implements Command<Trajectory> {}
