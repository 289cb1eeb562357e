package dev.caliber.store.search;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;

/** Merges in the background, a bounded number at once over all spaces. */
final class BoundedMerges extends ConcurrentMergeScheduler {

  private final Semaphore places;

  BoundedMerges(Semaphore places) {
    this.places = places;
    setMaxMergesAndThreads(2, 1);
    disableAutoIOThrottle();
  }

  @Override
  protected void doMerge(MergeScheduler.MergeSource source, MergePolicy.OneMerge merge)
      throws IOException {
    places.acquireUninterruptibly();
    try {
      super.doMerge(source, merge);
    } finally {
      places.release();
    }
  }
}
