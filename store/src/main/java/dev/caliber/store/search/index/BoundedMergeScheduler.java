package dev.caliber.store.search.index;

import dev.caliber.store.search.SearchBounds;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;

/**
 * Merge scheduler that runs a bounded number of background merges over all spaces. The indexing
 * thread is never blocked: merges without a permit wait, and the index is searched in more
 * segments.
 */
final class BoundedMergeScheduler extends ConcurrentMergeScheduler {

  private final Semaphore places;

  BoundedMergeScheduler(Semaphore places) {
    this.places = places;
    /*
     * As many threads as merges: with fewer, Lucene pauses a large merge in favour of a small one,
     * which would wait for the permit that the paused one holds. The permits are the only bound.
     */
    setMaxMergesAndThreads(2, 2);
    disableAutoIOThrottle();
  }

  /** Leaves merges pending where Lucene would block the caller; the next merge takes them up. */
  @Override
  protected synchronized boolean maybeStall(MergeScheduler.MergeSource source) {
    return mergeThreadCount() < getMaxMergeCount();
  }

  @Override
  protected void doMerge(MergeScheduler.MergeSource source, MergePolicy.OneMerge merge)
      throws IOException {
    boolean placed = awaitPermit(merge);
    try {
      super.doMerge(source, merge);
    } finally {
      if (placed) {
        places.release();
      }
    }
  }

  /**
   * Waits for a permit; returns false if the merge was aborted meanwhile and needs only clean-up.
   */
  private boolean awaitPermit(MergePolicy.OneMerge merge) {
    try {
      while (!merge.isAborted()) {
        if (places.tryAcquire(SearchBounds.LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
          return true;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
