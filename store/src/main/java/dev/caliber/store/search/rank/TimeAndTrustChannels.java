package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexTimestamps;
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

/** Channels of a document's time and trust, which do not depend on its text. */
final class TimeAndTrustChannels {

  private final List<LeafReaderContext> leaves;
  private final long asOf;
  private final double halfLife;
  private final List<MentionedPeriod> periods;
  private final SearchConfig.QueryAnalysisSettings rules;

  TimeAndTrustChannels(IndexSearcher searcher, SearchConfig config, PreparedQuery preparedQuery) {
    this.leaves = searcher.getIndexReader().leaves();
    this.asOf = IndexTimestamps.micros(preparedQuery.asOf());
    this.periods = preparedQuery.parsedQuery().periods();
    this.rules = config.queryAnalysis();
    this.halfLife = TimeUnit.SECONDS.toMicros(config.ranking().recencyHalfLife().toSeconds());
  }

  void score(Collection<SearchCandidate> candidates) throws IOException {
    for (SearchCandidate searchCandidate : candidates) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(searchCandidate.document(), leaves));
      int document = searchCandidate.document() - leaf.docBase;
      scoreTime(searchCandidate, leaf.reader(), document);
      scoreTrust(searchCandidate, leaf.reader(), document);
    }
  }

  /** Scores 1 now and in the future, one half after each half-life. */
  private void scoreTime(SearchCandidate searchCandidate, LeafReader leaf, int document)
      throws IOException {
    SortedNumericDocValues times = leaf.getSortedNumericDocValues(IndexFormatV1.TIME);
    if (times != null && times.advanceExact(document)) {
      long time = times.nextValue();
      double age = Math.max(0, (double) asOf - time);
      searchCandidate.setRaw(SearchChannel.TIME, Math.pow(2, -age / halfLife));
      scorePeriod(searchCandidate, time);
    }
  }

  private void scorePeriod(SearchCandidate searchCandidate, long time) {
    if (!periods.isEmpty()) {
      LocalDate day = IndexTimestamps.utcDay(time);
      double best =
          periods.stream()
              .mapToDouble(mentionedPeriod -> mentionedPeriod.matchScore(day, rules))
              .max()
              .orElse(0);
      searchCandidate.setRaw(SearchChannel.PERIOD, best);
    }
  }

  private static void scoreTrust(SearchCandidate searchCandidate, LeafReader leaf, int document)
      throws IOException {
    NumericDocValues trust = leaf.getNumericDocValues(IndexFormatV1.TRUST);
    if (trust != null && trust.advanceExact(document)) {
      searchCandidate.setRaw(SearchChannel.TRUST, Double.longBitsToDouble(trust.longValue()));
    }
  }
}
