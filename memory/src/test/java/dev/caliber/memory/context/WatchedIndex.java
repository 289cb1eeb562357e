package dev.caliber.memory.context;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.IndexCheckReport;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/** Index that counts its searches and runs an action before each result is returned. */
public final class WatchedIndex implements SearchIndex {
  private final SearchIndex index;
  private final AtomicInteger searches = new AtomicInteger();
  private volatile Runnable meanwhile = () -> {};

  WatchedIndex(SearchIndex index) {
    this.index = index;
  }

  /** Runs this after each search from now on. */
  public void meanwhile(Runnable what) {
    meanwhile = what;
    searches.set(0);
  }

  public int searches() {
    return searches.get();
  }

  @Override
  public SearchResult search(SearchQuery query) {
    SearchResult result = index.search(query);
    searches.incrementAndGet();
    meanwhile.run();
    return result;
  }

  @Override
  public SearchStatus status(SpaceId space) {
    return index.status(space);
  }

  @Override
  public void awaitSequence(SpaceId space, long sequence) {
    index.awaitSequence(space, sequence);
  }

  @Override
  public void deleteVectors(Transaction transaction, Collection<String> texts) {
    index.deleteVectors(transaction, texts);
  }

  @Override
  public VectorPruneResult pruneVectors(Transaction transaction, int batch) {
    return index.pruneVectors(transaction, batch);
  }

  @Override
  public void rebuild(SpaceId space, ProgressListener progressListener) {
    index.rebuild(space, progressListener);
  }

  @Override
  public boolean migrate(SpaceId space, ProgressListener progressListener) {
    return index.migrate(space, progressListener);
  }

  @Override
  public void embedPending(SpaceId space, ProgressListener progressListener) {
    index.embedPending(space, progressListener);
  }

  @Override
  public IndexCheckReport check(SpaceId space, ProgressListener progressListener) {
    return index.check(space, progressListener);
  }

  @Override
  public void close() {
    index.close();
  }
}
