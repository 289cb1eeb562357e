package dev.caliber.store.search.rank;

import dev.caliber.store.search.format.IndexFormatV1;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** Links between documents; each is looked up once per query. */
final class DocumentLinks {

  private final List<LeafReaderContext> leaves;
  private final int limit;
  private final Map<Integer, List<Integer>> known = new HashMap<>();

  DocumentLinks(IndexSearcher searcher, int limit) {
    this.leaves = searcher.getIndexReader().leaves();
    this.limit = limit;
  }

  /** Returns the linked documents in the index, in the order of their ids, up to the limit. */
  List<Integer> linkedDocuments(int document) throws IOException {
    List<Integer> linked = known.get(document);
    if (linked == null) {
      linked = read(document);
      known.put(document, linked);
    }
    return linked;
  }

  private List<Integer> read(int document) throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
    SortedSetDocValues ids = leaf.reader().getSortedSetDocValues(IndexFormatV1.LINKS);
    if (ids == null || !ids.advanceExact(document - leaf.docBase)) {
      return List.of();
    }
    List<Integer> linked = new ArrayList<>();
    int count = Math.min(limit, ids.docValueCount());
    for (int i = 0; i < count; i++) {
      find(BytesRef.deepCopyOf(ids.lookupOrd(ids.nextOrd()))).ifPresent(linked::add);
    }
    return linked;
  }

  /** Returns the first document of the record with this id. */
  private Optional<Integer> find(BytesRef id) throws IOException {
    Term term = new Term(IndexFormatV1.ID, id);
    for (LeafReaderContext leaf : leaves) {
      PostingsEnum pieces = leaf.reader().postings(term, PostingsEnum.NONE);
      Bits live = leaf.reader().getLiveDocs();
      while (pieces != null && pieces.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (live == null || live.get(pieces.docID())) {
          return Optional.of(leaf.docBase + pieces.docID());
        }
      }
    }
    return Optional.empty();
  }
}
