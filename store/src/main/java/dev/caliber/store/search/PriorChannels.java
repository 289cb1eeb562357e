package dev.caliber.store.search;

import java.io.IOException;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.IndexSearcher;

/** What a document's time and trust are worth, whatever its text says. */
final class PriorChannels {

  private final List<LeafReaderContext> leaves;
  private final long asOf;
  private final double halfLife;
  private final List<Period> periods;
  private final SearchConfig.Reading rules;

  PriorChannels(IndexSearcher searcher, SearchConfig config, Asked asked) {
    this.leaves = searcher.getIndexReader().leaves();
    this.asOf = Moments.micros(asked.asOf());
    this.periods = asked.reading().periods();
    this.rules = config.reading();
    this.halfLife = TimeUnit.SECONDS.toMicros(config.ranking().halfLife().toSeconds());
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
      long time = times.nextValue();
      double age = Math.max(0, (double) asOf - time);
      candidate.raw(Channel.TIME, Math.pow(2, -age / halfLife));
      scorePeriod(candidate, time);
    }
  }

  private void scorePeriod(Candidate candidate, long time) {
    if (!periods.isEmpty()) {
      LocalDate day = Moments.day(time);
      double best =
          periods.stream().mapToDouble(period -> period.holds(day, rules)).max().orElse(0);
      candidate.raw(Channel.PERIOD, best);
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
