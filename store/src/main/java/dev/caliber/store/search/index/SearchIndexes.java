package dev.caliber.store.search.index;

import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.embed.EmbeddingCache;
import dev.caliber.store.spi.Embedder;
import java.util.List;
import java.util.Optional;

/** Factory of search indexes. */
public final class SearchIndexes {
  private SearchIndexes() {}

  /** Returns the tables that a store must be opened with for search: vectors and related data. */
  public static List<Table<?>> tables() {
    return List.of(EmbeddingCache.EMBEDDINGS, EmbeddingCache.MODELS, EmbeddingCache.BATCHES);
  }

  /**
   * Opens the indexes of a store and begins to follow its feed.
   *
   * @param embedder without one, documents are found by their words only
   * @param jobs embed in the background, once started
   */
  public static SearchIndex open(
      SearchIndex.SearchDependencies searchDependencies, Optional<Embedder> embedder, Jobs jobs) {
    return LuceneSearchIndex.open(searchDependencies, embedder, jobs);
  }
}
