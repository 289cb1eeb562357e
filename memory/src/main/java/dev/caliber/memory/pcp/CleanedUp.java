package dev.caliber.memory.pcp;

import dev.caliber.memory.command.Orphans;
import dev.caliber.memory.command.Swept;

/**
 * What a clean-up has ended and removed.
 *
 * @param locksReleased leases of agents whose time was over
 * @param messagesDeleted messages that ended longer ago than {@code coordination.message-retention}
 * @param cacheEntriesDeleted vectors that nothing uses, older than {@code
 *     search.embedding.cache-retention}
 */
public record CleanedUp(
    int trajectoriesFailed,
    int scopesClosed,
    long contextWindowsDeleted,
    long locksReleased,
    long messagesDeleted,
    long cacheEntriesDeleted) {

  static CleanedUp of(Swept swept) {
    Orphans ended = swept.orphans();
    return new CleanedUp(
        ended.trajectories().size(),
        ended.scopes().size(),
        swept.removed(Swept.WINDOWS),
        swept.removed(Swept.LOCKS),
        swept.removed(Swept.MESSAGES),
        swept.removed(Swept.VECTORS));
  }
}
