package dev.caliber.store.search.rank;

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

/** Evaluator of a filter on a few documents. */
final class FilterEvaluator {

  private FilterEvaluator() {}

  static Set<Integer> passingDocuments(IndexSearcher searcher, Query filter, Set<Integer> documents)
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
      if (matching.isPresent()
          && containsDocument(matching.get(), document - leaves.get(in).docBase)) {
        passing.add(document);
      }
    }
    return passing;
  }

  /**
   * Passes the number of documents on to Lucene: a range then checks them one by one instead of
   * collecting all that it contains.
   */
  private static Optional<DocIdSetIterator> matching(
      Weight weight, LeafReaderContext leaf, int asked) throws IOException {
    ScorerSupplier supplier = weight.scorerSupplier(leaf);
    return supplier == null ? Optional.empty() : Optional.of(supplier.get(asked).iterator());
  }

  private static boolean containsDocument(DocIdSetIterator matching, int document)
      throws IOException {
    int at = matching.docID();
    return (at < document ? matching.advance(document) : at) == document;
  }
}
