package dev.caliber.store.search.format;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;

/** Map from Lucene's document number to the record's id. */
public final class RecordIdLookup {

  private final List<LeafReaderContext> leaves;

  public RecordIdLookup(IndexReader reader) {
    leaves = reader.leaves();
  }

  public String id(int document) throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
    SortedDocValues ids = DocValues.getSorted(leaf.reader(), IndexFormatV1.ID);
    return ids.advanceExact(document - leaf.docBase)
        ? ids.lookupOrd(ids.ordValue()).utf8ToString()
        : "";
  }
}
