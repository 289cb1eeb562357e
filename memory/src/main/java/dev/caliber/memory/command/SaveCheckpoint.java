package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Checkpoint;
import java.util.Optional;

/** Saves a point to return to; the oldest beyond the configured number go. */
public record SaveCheckpoint(Id trajectory, Optional<Id> scope, Optional<Id> window)
    implements Command<Checkpoint> {

  public static SaveCheckpoint of(Id trajectory) {
    return new SaveCheckpoint(trajectory, Optional.empty(), Optional.empty());
  }

  public static SaveCheckpoint of(Id trajectory, Id scope) {
    return new SaveCheckpoint(trajectory, Optional.of(scope), Optional.empty());
  }
}
