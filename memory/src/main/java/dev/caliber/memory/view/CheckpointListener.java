package dev.caliber.memory.view;

import dev.caliber.memory.record.Checkpoint;
import dev.caliber.store.Transaction;

/** Module that stores data of its own for each checkpoint. */
@FunctionalInterface
public interface CheckpointListener {

  /** Called in the commit that saves the checkpoint; must be fast. */
  void onCheckpointSaved(Transaction transaction, Checkpoint made);
}
