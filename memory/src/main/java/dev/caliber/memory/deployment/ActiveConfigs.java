package dev.caliber.memory.deployment;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import java.time.Instant;
import java.util.Optional;

/**
 * The active configurations of a running process. They follow the change feed, so that what any
 * process activates is used here a moment later and without a restart. A request asks once and
 * keeps what it got: it sees the configuration before or the one after, never half of either.
 */
public interface ActiveConfigs extends AutoCloseable {

  /** Begins to follow; the feed's rules say how often to look when nobody tells of a change. */
  static ActiveConfigs follow(RecordStore store, StoreConfig.Feed rules) {
    return FollowedConfigs.follow(store, rules);
  }

  /**
   * What the space runs on; empty if nothing was ever activated. Costs no access to the store, but
   * for the first call of a space; so it is not for use inside a read or a write.
   */
  Optional<ActiveConfig> current(SpaceId space);

  /** The same inside a read or a write: what is not known yet is read from the snapshot itself. */
  Optional<ActiveConfig> current(Snapshot snapshot);

  /** The same, but at least as of this commit: for whoever has just activated something. */
  Optional<ActiveConfig> current(SpaceId space, long sequence);

  /** What the space ran on at this time. */
  Optional<ActiveConfig> at(Snapshot snapshot, Instant time);

  @Override
  void close();
}
