package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.SpaceId;

/** Callbacks of an engine to the store. */
public interface EngineListener {

  /** Something may have been committed in this space by another process. */
  void spaceChanged(SpaceId space);

  /** Runs maintenance on a writer's session between two groups, and waits for it. */
  void runBetweenWrites(DatabaseTask task);
}
