package dev.caliber.store;

import dev.caliber.kernel.SpaceId;

/** What an engine tells the store, and asks of it. */
interface EngineEvents {

  /** Something may have been committed in this space by another process. */
  void changed(SpaceId space);

  /** Runs upkeep on a writer's session between two groups, and waits for it. */
  void betweenWrites(SessionTask task);
}
