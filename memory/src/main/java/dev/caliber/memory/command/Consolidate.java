package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import java.util.List;

/** Makes notes of what a trajectory has left in artifacts; answers their ids in order. */
public record Consolidate(Id trajectory) implements Command<List<Id>> {}
