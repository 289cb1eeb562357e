package dev.caliber.memory.context;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Progress;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.IndexCheck;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/** An index that counts what it is asked, and lets something happen before its answer is heard. */
final class WatchedIndex implements SearchIndex {
  private final SearchIndex index;
  private final AtomicInteger searches = new AtomicInteger();
  private volatile Runnable meanwhile = () -> {};

  WatchedIndex(SearchIndex index) {
    this.index = index;
  }

  /** From now on this happens after each search. */
  void meanwhile(Runnable what) {
    meanwhile = what;
    searches.set(0);
  }

  int searches() {
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
  public void await(SpaceId space, long sequence) {
    index.await(space, sequence);
  }

  @Override
  public void forget(Transaction transaction, Collection<String> texts) {
    index.forget(transaction, texts);
  }

  @Override
  public Pruned prune(Transaction transaction, int batch) {
    return index.prune(transaction, batch);
  }

  @Override
  public void rebuild(SpaceId space, Progress progress) {
    index.rebuild(space, progress);
  }

  @Override
  public boolean migrate(SpaceId space, Progress progress) {
    return index.migrate(space, progress);
  }

  @Override
  public void embed(SpaceId space, Progress progress) {
    index.embed(space, progress);
  }

  @Override
  public IndexCheck check(SpaceId space, Progress progress) {
    return index.check(space, progress);
  }

  @Override
  public void close() {
    index.close();
  }
}
