package dev.caliber.memory;

import dev.caliber.memory.record.Checkpoint;
import dev.caliber.store.Transaction;

/** Another room that keeps something for every point that a trajectory can return to. */
@FunctionalInterface
public interface CheckpointRoom {

  /** Another checkpoint is saved in this commit; nothing slow. */
  void saved(Transaction transaction, Checkpoint made);
}
