package dev.caliber.store.search.index;

import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.jspecify.annotations.Nullable;

/**
 * Factory of searchers with this index's BM25, whose statistics are exact while the index is small.
 */
final class LiveDocumentSearcherFactory extends SearcherFactory {

  private final SearchConfig config;

  LiveDocumentSearcherFactory(SearchConfig config) {
    this.config = config;
  }

  @Override
  public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous)
      throws IOException {
    boolean small = reader.maxDoc() <= 2L * config.dense().exactBelow();
    IndexSearcher searcher =
        reader.hasDeletions() && small
            ? new LiveDocumentSearcher(reader)
            : new IndexSearcher(reader);
    searcher.setSimilarity(LuceneWriterSetup.similarity(config.lexical()));
    searcher.setQueryCache(null);
    return searcher;
  }
}
