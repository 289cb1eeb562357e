package dev.caliber.store.search;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.similarities.BM25Similarity;

/** How Lucene writes for us. */
final class WriterSettings {

  private static final double BYTES_PER_MEGABYTE = 1 << 20;

  private WriterSettings() {}

  static IndexWriterConfig of(Machinery machinery, IndexRecipe recipe, Analyzer analyzer) {
    SearchConfig config = machinery.config();
    IndexWriterConfig settings = new IndexWriterConfig(analyzer);
    settings.setSimilarity(similarity(config.lexical()));
    settings.setRAMBufferSizeMB(config.follow().buffer().bytes() / BYTES_PER_MEGABYTE);
    settings.setCodec(new IndexCodec(recipe, config.dense()));
    settings.setMergeScheduler(new BoundedMerges(machinery.merges()));
    settings.setMergePolicy(lasting());
    settings.setCommitOnClose(false);
    return settings;
  }

  /** Few parts, so that searches are fast. */
  static MergePolicy lasting() {
    return new TieredMergePolicy();
  }

  /** Many parts while all records are read: each graph is built once, in the last merge. */
  static MergePolicy whileBuilding() {
    return new TieredMergePolicy().setSegmentsPerTier(SearchBounds.PARTS_WHILE_BUILDING);
  }

  static BM25Similarity similarity(SearchConfig.Lexical rules) {
    return new BM25Similarity((float) rules.k1(), (float) rules.b());
  }
}
