package dev.caliber.store.search.index;

import dev.caliber.store.search.format.IndexFormatV1;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.util.Bits;

/**
 * Searcher that counts words in live documents only. Lucene also counts deleted documents that are
 * not merged away yet, so that scores would depend on the index's history.
 */
final class LiveDocumentSearcher extends IndexSearcher {

  private final Map<String, FieldLengths> lengths = new ConcurrentHashMap<>();

  private record FieldLengths(long documents, long words) {}

  LiveDocumentSearcher(IndexReader reader) {
    super(reader);
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    long documents = 0;
    long occurrences = 0;
    for (LeafReaderContext leaf : getIndexReader().leaves()) {
      PostingsEnum postings = leaf.reader().postings(term, PostingsEnum.FREQS);
      Bits live = leaf.reader().getLiveDocs();
      while (postings != null && postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (live == null || live.get(postings.docID())) {
          documents++;
          occurrences += postings.freq();
        }
      }
    }
    return documents == 0
        ? super.termStatistics(term, docFreq, totalTermFreq)
        : new TermStatistics(term.bytes(), documents, occurrences);
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics all = super.collectionStatistics(field);
    FieldLengths live = lengths.computeIfAbsent(field, this::count);
    return all == null || live.documents == 0
        ? all
        : new CollectionStatistics(field, all.maxDoc(), live.documents, live.words, live.documents);
  }

  private FieldLengths count(String field) {
    try {
      return sum(IndexFormatV1.lengthField(field));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FieldLengths sum(String lengthField) throws IOException {
    long documents = 0;
    long words = 0;
    for (LeafReaderContext leaf : getIndexReader().leaves()) {
      NumericDocValues values = leaf.reader().getNumericDocValues(lengthField);
      Bits live = leaf.reader().getLiveDocs();
      while (values != null && values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (live == null || live.get(values.docID())) {
          documents++;
          words += values.longValue();
        }
      }
    }
    return new FieldLengths(documents, words);
  }
}
