package dev.caliber.store.search;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.IndexSearcher;

/** What a document is worth whatever the query says: how recent and how trusted it is. */
final class PriorChannels {

  private final List<LeafReaderContext> leaves;
  private final long asOf;
  private final double halfLife;

  PriorChannels(IndexSearcher searcher, SearchConfig.Ranking rules, Instant asOf) {
    this.leaves = searcher.getIndexReader().leaves();
    this.asOf = Moments.micros(asOf);
    this.halfLife = TimeUnit.SECONDS.toMicros(rules.halfLife().toSeconds());
  }

  void score(Collection<Candidate> candidates) throws IOException {
    for (Candidate candidate : candidates) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(candidate.document(), leaves));
      int document = candidate.document() - leaf.docBase;
      scoreTime(candidate, leaf.reader(), document);
      scoreTrust(candidate, leaf.reader(), document);
    }
  }

  /** 1 now and in the future, one half after each half-life. */
  private void scoreTime(Candidate candidate, LeafReader leaf, int document) throws IOException {
    SortedNumericDocValues times = leaf.getSortedNumericDocValues(IndexFormatV1.TIME);
    if (times != null && times.advanceExact(document)) {
      double age = Math.max(0, (double) asOf - times.nextValue());
      candidate.raw(Channel.TIME, Math.pow(2, -age / halfLife));
    }
  }

  private static void scoreTrust(Candidate candidate, LeafReader leaf, int document)
      throws IOException {
    NumericDocValues trust = leaf.getNumericDocValues(IndexFormatV1.TRUST);
    if (trust != null && trust.advanceExact(document)) {
      candidate.raw(Channel.TRUST, Double.longBitsToDouble(trust.longValue()));
    }
  }
}
