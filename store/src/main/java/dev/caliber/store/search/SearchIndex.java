package dev.caliber.store.search;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Transaction;
import java.time.Clock;
import java.util.Collection;
import java.util.List;

/**
 * Search over records of declared tables: by words, vectors, neighbourhood, session, links, time
 * and trust, with filters. The index follows the change feed, is never the source of truth, and can
 * be deleted at any time. A query that names a commit waits, bounded, until the index holds it.
 */
public interface SearchIndex extends AutoCloseable {

  /** Dependencies of an index. */
  record SearchDependencies(
      RecordStore store,
      StoreConfig storeConfig,
      SearchConfig config,
      List<Searchable<?>> declared,
      Clock clock,
      IdGenerator ids) {
    public SearchDependencies {
      declared = List.copyOf(declared);
    }
  }

  SearchResult search(SearchQuery query);

  SearchStatus status(SpaceId space);

  /** Waits, up to the configured time, until the index holds this commit. */
  void awaitSequence(SpaceId space, long sequence);

  /**
   * Removes the vectors of these texts in this commit, after the records that had them; vectors
   * that a remaining record uses are kept. The index itself follows.
   */
  void deleteVectors(Transaction transaction, Collection<String> texts);

  /**
   * Removes vectors that were made, or last found in use, longer ago than {@code
   * search.embedding.cache-retention}, unless a document of the index still has them; checks at
   * most {@code batch} in this commit, fewer if the commit would take long. A text that comes back
   * is embedded again.
   *
   * <p>An index knows which vectors are in use only if it is complete, holds every commit before
   * this one, and has the vectors of the present embedder for all its documents; with any other,
   * nothing is removed. So the caller lets it {@linkplain #awaitSequence catch up} first.
   */
  VectorPruneResult pruneVectors(Transaction transaction, int batch);

  /**
   * Number of vectors removed.
   *
   * @param more whether there may be others
   */
  record VectorPruneResult(int removed, boolean more) {}

  /** Rebuilds the index of a space beside the present one, and returns when it is complete. */
  void rebuild(SpaceId space, ProgressListener progressListener);

  /**
   * Builds a new index if settings, model or declarations require another one than the present;
   * continues one that was begun. Returns false if there was nothing to do.
   */
  boolean migrate(SpaceId space, ProgressListener progressListener);

  /**
   * Embeds every pending document on this thread instead of in a job. Stored vectors remain if the
   * model fails on the way. Without an embedder it does nothing.
   */
  void embedPending(SpaceId space, ProgressListener progressListener);

  /** Compares the index with the records; needs the model of its vectors, if it has any. */
  IndexCheckReport check(SpaceId space, ProgressListener progressListener);

  /** Writes the applied changes to disk, and releases files and threads. */
  @Override
  void close();
}
