package dev.caliber.store.search.rank;

import dev.caliber.store.search.format.IndexFormatV1;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.IndexSearcher;

/** Reader of the candidates' positions in their groups. */
final class SequencePositionReader {

  private final List<LeafReaderContext> leaves;

  SequencePositionReader(IndexSearcher searcher) {
    leaves = searcher.getIndexReader().leaves();
  }

  void read(SearchCandidate searchCandidate) throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(searchCandidate.document(), leaves));
    int document = searchCandidate.document() - leaf.docBase;
    searchCandidate.setSequencePosition(
        new SearchCandidate.SequencePosition(
            group(leaf.reader(), document), position(leaf.reader(), document)));
  }

  private static Optional<String> group(LeafReader leaf, int document) throws IOException {
    SortedDocValues groups = leaf.getSortedDocValues(IndexFormatV1.GROUP);
    return groups != null && groups.advanceExact(document)
        ? Optional.of(groups.lookupOrd(groups.ordValue()).utf8ToString())
        : Optional.empty();
  }

  private static Optional<Long> position(LeafReader leaf, int document) throws IOException {
    NumericDocValues positions = leaf.getNumericDocValues(IndexFormatV1.POSITION);
    return positions != null && positions.advanceExact(document)
        ? Optional.of(positions.longValue())
        : Optional.empty();
  }
}
