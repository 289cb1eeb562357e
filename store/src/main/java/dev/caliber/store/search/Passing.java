package dev.caliber.store.search;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
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
    for (int document : documents) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
      Scorer scorer = weight.scorer(leaf);
      int inLeaf = document - leaf.docBase;
      if (scorer != null && scorer.iterator().advance(inLeaf) == inLeaf) {
        passing.add(document);
      }
    }
    return passing;
  }
}
