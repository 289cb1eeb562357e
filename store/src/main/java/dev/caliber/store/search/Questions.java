package dev.caliber.store.search;

import java.io.IOException;
import java.text.BreakIterator;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;

/** How far documents ask rather than tell. */
final class Questions {

  private static final char MARK = '?';

  private final List<LeafReaderContext> leaves;
  private final int longest;

  Questions(IndexSearcher searcher, SearchConfig.Reading rules) {
    this.leaves = searcher.getIndexReader().leaves();
    this.longest = rules.askingLength();
  }

  /** The share of the text that is in sentences with a question mark at the end. */
  static double share(String text) {
    if (text.indexOf(MARK) < 0) {
      return 0;
    }
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(text);
    int asking = 0;
    int start = sentences.first();
    for (int end = sentences.next(); end != BreakIterator.DONE; end = sentences.next()) {
      asking += asks(text, start, end) ? end - start : 0;
      start = end;
    }
    return (double) asking / text.length();
  }

  private static boolean asks(String text, int start, int end) {
    int last = end - 1;
    while (last > start && Character.isWhitespace(text.charAt(last))) {
      last--;
    }
    return text.charAt(last) == MARK;
  }

  /** From 0 to 1; a long text tells something even where it asks. */
  double asking(int document) throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
    int inLeaf = document - leaf.docBase;
    double share = Double.longBitsToDouble(value(leaf.reader(), IndexFormatV1.ASKING, inLeaf));
    long length = Math.max(1, value(leaf.reader(), IndexFormatV1.CHARACTERS, inLeaf));
    return share * Math.min(1, (double) longest / length);
  }

  /** 0 where a document has none, which is also the bits of the number 0. */
  private static long value(LeafReader leaf, String field, int document) throws IOException {
    NumericDocValues values = leaf.getNumericDocValues(field);
    return values != null && values.advanceExact(document) ? values.longValue() : 0;
  }
}
