package dev.caliber.store.search.rank;

import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.RecordIdLookup;
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

/** Documents of each group in their order; each group is read once per query. */
final class DocumentSequences {

  private final IndexSearcher searcher;
  private final RecordIdLookup ids;
  private final Map<String, List<SequenceEntry>> known = new HashMap<>();
  private final Map<String, Map<Integer, Integer>> places = new HashMap<>();

  /** Returns the document's index among the entries of its group; -1 if it is not among them. */
  int indexOf(String group, int document) throws IOException {
    List<SequenceEntry> steps = entries(group);
    return places.computeIfAbsent(group, _ -> positionsOf(steps)).getOrDefault(document, -1);
  }

  private static Map<Integer, Integer> positionsOf(List<SequenceEntry> steps) {
    Map<Integer, Integer> places = new HashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      places.put(steps.get(i).document, i);
    }
    return places;
  }

  /** Document and its position. */
  record SequenceEntry(int document, long position) {}

  DocumentSequences(IndexSearcher searcher) {
    this.searcher = searcher;
    this.ids = new RecordIdLookup(searcher.getIndexReader());
  }

  List<SequenceEntry> entries(String group) throws IOException {
    List<SequenceEntry> steps = known.get(group);
    if (steps == null) {
      steps = read(group);
      known.put(group, steps);
    }
    return steps;
  }

  private List<SequenceEntry> read(String group) throws IOException {
    List<SequenceEntry> steps = new ArrayList<>();
    Term term = new Term(IndexFormatV1.GROUP, group);
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      PostingsEnum members = leaf.reader().postings(term, PostingsEnum.NONE);
      NumericDocValues positions = leaf.reader().getNumericDocValues(IndexFormatV1.POSITION);
      if (members != null && positions != null) {
        read(leaf, members, positions, steps);
      }
    }
    steps.sort(Comparator.comparingLong(SequenceEntry::position).thenComparing(this::compareIds));
    return steps;
  }

  /** Orders documents of equal position by their ids, independently of Lucene's numbers. */
  private int compareIds(SequenceEntry a, SequenceEntry b) {
    try {
      return ids.id(a.document).compareTo(ids.id(b.document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(
      LeafReaderContext leaf,
      PostingsEnum members,
      NumericDocValues positions,
      List<SequenceEntry> steps)
      throws IOException {
    Bits live = leaf.reader().getLiveDocs();
    while (members.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      int document = members.docID();
      if ((live == null || live.get(document)) && positions.advanceExact(document)) {
        steps.add(new SequenceEntry(leaf.docBase + document, positions.longValue()));
      }
    }
  }
}
