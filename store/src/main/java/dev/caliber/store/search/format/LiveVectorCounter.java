package dev.caliber.store.search.format;

import java.io.IOException;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.KnnVectorValues.DocIndexIterator;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;

/** Counter of the vectors of live documents. */
public final class LiveVectorCounter {

  private LiveVectorCounter() {}

  /** Returns an upper bound that includes deleted documents and needs no counting. */
  public static long upperBound(IndexReader reader) throws IOException {
    long count = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      FloatVectorValues values = leaf.reader().getFloatVectorValues(IndexFormatV1.VECTOR);
      count += values == null ? 0 : values.size();
    }
    return count;
  }

  public static long count(LeafReader leaf) throws IOException {
    FloatVectorValues values = leaf.getFloatVectorValues(IndexFormatV1.VECTOR);
    Bits live = leaf.getLiveDocs();
    if (values == null || live == null) {
      return values == null ? 0 : values.size();
    }
    long count = 0;
    DocIndexIterator documents = values.iterator();
    while (documents.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      count += live.get(documents.docID()) ? 1 : 0;
    }
    return count;
  }
}
