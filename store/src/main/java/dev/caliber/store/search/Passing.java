package dev.caliber.store.search;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/** Asks a filter about a few documents. */
final class Passing {

  private Passing() {}

  static Set<Integer> of(IndexSearcher searcher, Query filter, Set<Integer> documents)
      throws IOException {
    Weight weight =
        searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1);
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    Set<Integer> passing = new TreeSet<>();
    int leaf = -1;
    Optional<DocIdSetIterator> matching = Optional.empty();
    for (int document : new TreeSet<>(documents)) {
      int in = ReaderUtil.subIndex(document, leaves);
      if (in != leaf) {
        leaf = in;
        matching = matching(weight, leaves.get(in), documents.size());
      }
      if (matching.isPresent() && reaches(matching.get(), document - leaves.get(in).docBase)) {
        passing.add(document);
      }
    }
    return passing;
  }

  /** Told how few are asked, a range looks at them instead of gathering all that it holds. */
  private static Optional<DocIdSetIterator> matching(
      Weight weight, LeafReaderContext leaf, int asked) throws IOException {
    ScorerSupplier supplier = weight.scorerSupplier(leaf);
    return supplier == null ? Optional.empty() : Optional.of(supplier.get(asked).iterator());
  }

  private static boolean reaches(DocIdSetIterator matching, int document) throws IOException {
    int at = matching.docID();
    return (at < document ? matching.advance(document) : at) == document;
  }
}
