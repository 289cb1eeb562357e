package dev.caliber.store.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;

/** The documents of a group in their order; each group is read once for a query. */
final class Sequences {

  private final IndexSearcher searcher;
  private final DocumentIds ids;
  private final Map<String, List<Step>> known = new HashMap<>();
  private final Map<String, Map<Integer, Integer>> places = new HashMap<>();

  /** Where the document stands among the steps of its group; -1 if it is not there. */
  int indexOf(String group, int document) throws IOException {
    List<Step> steps = of(group);
    return places.computeIfAbsent(group, _ -> placesOf(steps)).getOrDefault(document, -1);
  }

  private static Map<Integer, Integer> placesOf(List<Step> steps) {
    Map<Integer, Integer> places = new HashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      places.put(steps.get(i).document, i);
    }
    return places;
  }

  /** A document and its position. */
  record Step(int document, long position) {}

  Sequences(IndexSearcher searcher) {
    this.searcher = searcher;
    this.ids = new DocumentIds(searcher.getIndexReader());
  }

  List<Step> of(String group) throws IOException {
    List<Step> steps = known.get(group);
    if (steps == null) {
      steps = read(group);
      known.put(group, steps);
    }
    return steps;
  }

  private List<Step> read(String group) throws IOException {
    List<Step> steps = new ArrayList<>();
    Term term = new Term(IndexFormatV1.GROUP, group);
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      PostingsEnum members = leaf.reader().postings(term, PostingsEnum.NONE);
      NumericDocValues positions = leaf.reader().getNumericDocValues(IndexFormatV1.POSITION);
      if (members != null && positions != null) {
        read(leaf, members, positions, steps);
      }
    }
    steps.sort(Comparator.comparingLong(Step::position).thenComparing(this::byId));
    return steps;
  }

  /** Two in one place stand in the order of their ids, whatever Lucene's numbers are. */
  private int byId(Step a, Step b) {
    try {
      return ids.id(a.document).compareTo(ids.id(b.document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(
      LeafReaderContext leaf, PostingsEnum members, NumericDocValues positions, List<Step> steps)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    while (members.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      int document = members.docID();
      if ((live == null || live.get(document)) && positions.advanceExact(document)) {
        steps.add(new Step(leaf.docBase + document, positions.longValue()));
      }
    }
  }
}
