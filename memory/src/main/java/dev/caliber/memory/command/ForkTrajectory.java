package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Trajectory;

/** Command that starts a trajectory from a checkpoint of its parent, which is unchanged. */
public record ForkTrajectory(Id checkpoint, StartTrajectory start) implements Command<Trajectory> {}
