package dev.caliber.store.search;

import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Jobs;
import dev.caliber.store.Progress;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.spi.Embedder;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Finds records of declared tables: by words, vectors, neighbourhood, session, links, time and
 * trust, with filters. It follows the change feed, is never the source of truth, and can be deleted
 * at any time. A query that names a commit waits, bounded, until the index holds it.
 */
public interface SearchIndex extends AutoCloseable {

  /** The tables that a store must be opened with for search: vectors and what belongs to them. */
  static List<Table<?>> tables() {
    return List.of(EmbeddingCache.EMBEDDINGS, EmbeddingCache.MODELS, EmbeddingCache.BATCHES);
  }

  /**
   * Opens the indexes of a store and begins to follow its feed.
   *
   * @param embedder without one, documents are found by their words only
   * @param jobs does the embedding in the background, once it is started
   */
  static SearchIndex open(Parts parts, Optional<Embedder> embedder, Jobs jobs) {
    return LuceneSearchIndex.open(parts, embedder, jobs);
  }

  /** What an index is made of. */
  record Parts(
      RecordStore store,
      StoreConfig storeConfig,
      SearchConfig config,
      List<Searchable<?>> declared,
      Clock clock,
      Ids ids) {
    public Parts {
      declared = List.copyOf(declared);
    }
  }

  SearchResult search(SearchQuery query);

  SearchStatus status(SpaceId space);

  /** Waits, for as long as settings say, until the index holds this commit. */
  void await(SpaceId space, long sequence);

  /**
   * Removes the vectors of these texts in this commit, after the records that had them: those that
   * no record which is left uses. The index itself follows.
   */
  void forget(Transaction transaction, Collection<String> texts);

  /**
   * Removes vectors that were made, or last found in use, longer ago than {@code
   * search.embedding.cache-retention}, unless a document of the index still has them; looks at no
   * more than {@code batch} in this commit, nor than a short commit allows. A text that comes back
   * is embedded again.
   *
   * <p>Only an index that is complete, holds every commit before this one, and has the vectors of
   * the present embedder for all its documents knows what is in use: with any other nothing goes.
   * So whoever asks lets it {@linkplain #await catch up} first.
   */
  Pruned prune(Transaction transaction, int batch);

  /**
   * How many vectors went.
   *
   * @param more whether there may be others
   */
  record Pruned(int removed, boolean more) {}

  /** Builds the index of a space anew, beside the present one, and returns when it is complete. */
  void rebuild(SpaceId space, Progress progress);

  /**
   * Builds a new index if settings, model or declarations ask for another one than is there; goes
   * on with one that was begun. False if there was nothing to do.
   */
  boolean migrate(SpaceId space, Progress progress);

  /**
   * Gives every document that waits its vectors, here and now rather than by a job. What was made
   * stays if the model fails on the way. Without an embedder there is nothing to do.
   */
  void embed(SpaceId space, Progress progress);

  /** Holds the index against the records; needs the model of its vectors, if it has some. */
  IndexCheck check(SpaceId space, Progress progress);

  /** Writes what was applied to disk, and lets go of files and threads. */
  @Override
  void close();
}
