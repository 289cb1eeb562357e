package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Checkpoint;
import java.util.Optional;

/** Command that saves a checkpoint; the oldest beyond the configured number are removed. */
public record SaveCheckpoint(Id trajectory, Optional<Id> scope, Optional<Id> window)
    implements Command<Checkpoint> {

  public static SaveCheckpoint of(Id trajectory) {
    return new SaveCheckpoint(trajectory, Optional.empty(), Optional.empty());
  }

  public static SaveCheckpoint of(Id trajectory, Id scope) {
    return new SaveCheckpoint(trajectory, Optional.of(scope), Optional.empty());
  }
}
