package dev.caliber.memory.deployment;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import java.time.Instant;
import java.util.Optional;

/**
 * Active configurations of a running process. They follow the change feed, so that an activation by
 * any process takes effect here shortly after, without a restart. A request reads its configuration
 * once and keeps it: the old or the new one, never a mix.
 */
public interface ActiveConfigs extends AutoCloseable {

  /** Starts following the change feed; {@code rules} sets the poll interval without signals. */
  static ActiveConfigs follow(RecordStore store, StoreConfig.FeedSettings rules) {
    return ActiveConfigFollower.follow(store, rules);
  }

  /**
   * Returns the active configuration; empty if nothing was ever activated. Only the first call for
   * a space reads the store, so do not call it inside a read or a write.
   */
  Optional<ActiveConfig> activeConfig(SpaceId space);

  /** Returns the active configuration inside a read or a write, from the snapshot if needed. */
  Optional<ActiveConfig> activeConfig(Snapshot snapshot);

  /** Returns the active configuration as of this commit or later, after an activation. */
  Optional<ActiveConfig> activeConfig(SpaceId space, long sequence);

  /** Returns the configuration that was active at this time. */
  Optional<ActiveConfig> activeConfigAt(Snapshot snapshot, Instant time);

  @Override
  void close();
}
