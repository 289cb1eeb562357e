package dev.caliber.server;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.IndexCheckReport;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A search index that its first use opens. Most operations of a short process search nothing, and
 * opening an index takes longer than they do.
 */
final class LazySearchIndex implements SearchIndex {
  private final Supplier<SearchIndex> opening;
  private volatile @Nullable SearchIndex opened;

  LazySearchIndex(Supplier<SearchIndex> opening) {
    this.opening = opening;
  }

  private SearchIndex index() {
    SearchIndex known = opened;
    return known == null ? open() : known;
  }

  private synchronized SearchIndex open() {
    SearchIndex known = opened;
    if (known == null) {
      known = opening.get();
      opened = known;
    }
    return known;
  }

  @Override
  public SearchResult search(SearchQuery query) {
    return index().search(query);
  }

  @Override
  public SearchStatus status(SpaceId space) {
    return index().status(space);
  }

  @Override
  public void awaitSequence(SpaceId space, long sequence) {
    index().awaitSequence(space, sequence);
  }

  @Override
  public void deleteVectors(Transaction transaction, Collection<String> texts) {
    index().deleteVectors(transaction, texts);
  }

  @Override
  public VectorPruneResult pruneVectors(Transaction transaction, int batch) {
    return index().pruneVectors(transaction, batch);
  }

  @Override
  public void rebuild(SpaceId space, ProgressListener progressListener) {
    index().rebuild(space, progressListener);
  }

  @Override
  public boolean migrate(SpaceId space, ProgressListener progressListener) {
    return index().migrate(space, progressListener);
  }

  @Override
  public void embedPending(SpaceId space, ProgressListener progressListener) {
    index().embedPending(space, progressListener);
  }

  @Override
  public IndexCheckReport check(SpaceId space, ProgressListener progressListener) {
    return index().check(space, progressListener);
  }

  /** Closes the index if it was opened. */
  @Override
  public void close() {
    SearchIndex known = opened;
    if (known != null) {
      known.close();
    }
  }
}
