package dev.caliber.store.search.format;

import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;

/** Measure of how far documents ask rather than state. */
public final class QuestionDetector {

  private static final char MARK = '?';

  private final List<LeafReaderContext> leaves;
  private final int longest;

  public QuestionDetector(IndexSearcher searcher, SearchConfig.QueryAnalysisSettings rules) {
    this.leaves = searcher.getIndexReader().leaves();
    this.longest = rules.questionMaxLength();
  }

  /** Returns the share of the text that is in sentences ending with a question mark. */
  public static double questionShare(String text) {
    if (text.indexOf(MARK) < 0) {
      return 0;
    }
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(text);
    int asking = 0;
    int start = sentences.first();
    for (int end = sentences.next(); end != BreakIterator.DONE; end = sentences.next()) {
      asking += isQuestion(text, start, end) ? end - start : 0;
      start = end;
    }
    return (double) asking / text.length();
  }

  private static boolean isQuestion(String text, int start, int end) {
    int last = end - 1;
    while (last > start && Character.isWhitespace(text.charAt(last))) {
      last--;
    }
    return text.charAt(last) == MARK;
  }

  /** Returns 0 to 1, less for a long text, which states something even where it asks. */
  public double questionScore(int document) throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
    int inLeaf = document - leaf.docBase;
    double share = Double.longBitsToDouble(value(leaf.reader(), IndexFormatV1.ASKING, inLeaf));
    long length = Math.max(1, value(leaf.reader(), IndexFormatV1.CHARACTERS, inLeaf));
    return share * Math.min(1, (double) longest / length);
  }

  /** Returns the value; 0 if the document has none, which is also the bits of the number 0. */
  private static long value(LeafReader leaf, String field, int document) throws IOException {
    NumericDocValues values = leaf.getNumericDocValues(field);
    return values != null && values.advanceExact(document) ? values.longValue() : 0;
  }
}
