package dev.caliber.store.search.index;

import dev.caliber.store.search.SearchBounds;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.format.IndexCodec;
import dev.caliber.store.search.format.IndexRecipe;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.similarities.BM25Similarity;

/** Settings of the Lucene writer. */
final class LuceneWriterSetup {

  private static final double BYTES_PER_MEGABYTE = 1 << 20;

  private LuceneWriterSetup() {}

  static IndexWriterConfig writerConfig(
      SpaceIndexDependencies spaceIndexDependencies, IndexRecipe recipe, Analyzer analyzer) {
    SearchConfig config = spaceIndexDependencies.config();
    IndexWriterConfig settings = new IndexWriterConfig(analyzer);
    settings.setSimilarity(similarity(config.lexical()));
    settings.setRAMBufferSizeMB(config.indexing().bufferSize().bytes() / BYTES_PER_MEGABYTE);
    settings.setCodec(new IndexCodec(recipe, config.dense()));
    settings.setMergeScheduler(new BoundedMergeScheduler(spaceIndexDependencies.merges()));
    settings.setMergePolicy(searchMergePolicy());
    settings.setCommitOnClose(false);
    return settings;
  }

  /** Returns a merge policy with few segments, for fast searches. */
  static MergePolicy searchMergePolicy() {
    return new TieredMergePolicy();
  }

  /**
   * Returns a merge policy with many segments while all records are read: each graph is built once,
   * in the last merge.
   */
  static MergePolicy buildMergePolicy() {
    return new TieredMergePolicy().setSegmentsPerTier(SearchBounds.PARTS_WHILE_BUILDING);
  }

  static BM25Similarity similarity(SearchConfig.LexicalSettings rules) {
    return new BM25Similarity((float) rules.k1(), (float) rules.b());
  }
}
