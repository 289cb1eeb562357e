package dev.caliber.memory.pcp;

import dev.caliber.memory.command.AbandonedWorkResult;
import dev.caliber.memory.command.CleanupResult;

/**
 * Numbers of records that a clean-up has ended and removed.
 *
 * @param locksReleased expired leases of agents
 * @param messagesDeleted messages that ended longer ago than {@code coordination.message-retention}
 * @param cacheEntriesDeleted unused vectors older than {@code search.embedding.cache-retention}
 */
public record CleanupCounts(
    int trajectoriesFailed,
    int scopesClosed,
    long contextWindowsDeleted,
    long locksReleased,
    long messagesDeleted,
    long cacheEntriesDeleted) {

  static CleanupCounts of(CleanupResult cleanupResult) {
    AbandonedWorkResult ended = cleanupResult.orphans();
    return new CleanupCounts(
        ended.trajectories().size(),
        ended.scopes().size(),
        cleanupResult.removedBy(CleanupResult.WINDOWS),
        cleanupResult.removedBy(CleanupResult.LOCKS),
        cleanupResult.removedBy(CleanupResult.MESSAGES),
        cleanupResult.removedBy(CleanupResult.VECTORS));
  }
}
