package dev.caliber.store.search;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;

/**
 * Merges in the background, a bounded number at once over all spaces. Whoever brings documents is
 * never held back: merges that find no place wait, and the index is searched in more pieces.
 */
final class BoundedMerges extends ConcurrentMergeScheduler {

  private final Semaphore places;

  BoundedMerges(Semaphore places) {
    this.places = places;
    /* As many threads as merges: with fewer, Lucene pauses a large merge in favour of a small one,
    which would wait for the place that the paused one holds. The places are the only bound. */
    setMaxMergesAndThreads(2, 2);
    disableAutoIOThrottle();
  }

  /** Leaves merges pending where Lucene would make the caller wait; the next one takes them up. */
  @Override
  protected synchronized boolean maybeStall(MergeScheduler.MergeSource source) {
    return mergeThreadCount() < getMaxMergeCount();
  }

  @Override
  protected void doMerge(MergeScheduler.MergeSource source, MergePolicy.OneMerge merge)
      throws IOException {
    boolean placed = awaitPlace(merge);
    try {
      super.doMerge(source, merge);
    } finally {
      if (placed) {
        places.release();
      }
    }
  }

  /** False if the merge was given up meanwhile: then there is only something to tidy up. */
  private boolean awaitPlace(MergePolicy.OneMerge merge) {
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
