package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import java.util.List;

/** Command that makes notes of the artifacts of a trajectory; returns their ids in order. */
public record ConsolidateTrajectory(Id trajectory) implements Command<List<Id>> {}
