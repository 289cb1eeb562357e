package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.LiveVectorCounter;
import dev.caliber.store.search.format.RecordIdLookup;
import dev.caliber.store.search.format.VectorSimilarity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ObjDoubleConsumer;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.ConjunctionUtils;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.VectorScorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.hnsw.FloatHeap;

/**
 * Channel of vector similarity: compares every vector while there are few, searches a graph
 * otherwise.
 */
final class DenseChannel {

  private final IndexSearcher searcher;
  private final List<LeafReaderContext> leaves;
  private final IndexRecipe recipe;
  private final SearchConfig.DenseSettings rules;
  private final float[] vector;

  DenseChannel(
      IndexSearcher searcher,
      IndexRecipe recipe,
      SearchConfig.DenseSettings rules,
      float[] vector) {
    this.searcher = searcher;
    this.leaves = searcher.getIndexReader().leaves();
    this.recipe = recipe;
    this.rules = rules;
    this.vector = vector;
  }

  /** Returns the first documents of the nearest records; the best chunk counts. */
  List<Integer> topDocuments(int wanted, Optional<Query> filter) throws IOException {
    boolean exact = isExact(filter);
    int asked = wanted;
    while (true) {
      List<ScoredDocument> found = exact ? compareAll(asked, filter) : searchGraph(asked, filter);
      List<Integer> records = distinctRecords(found);
      if (records.size() >= wanted || found.size() < asked) {
        return records;
      }
      asked *= 2;
    }
  }

  private boolean isExact(Optional<Query> filter) throws IOException {
    return recipe.index() == SearchConfig.VectorIndexType.EXACT
        || LiveVectorCounter.upperBound(searcher.getIndexReader()) <= rules.exactBelow()
        || (filter.isPresent() && passesAtMost(filter.get(), rules.exactBelowFiltered()));
  }

  /** Returns whether at most this number of documents pass; counts no further. */
  private boolean passesAtMost(Query filter, int most) throws IOException {
    Weight weight = weight(filter);
    int left = most;
    for (LeafReaderContext leaf : leaves) {
      int known = weight.count(leaf);
      left -= known < 0 ? count(leaf, weight, left) : known;
      if (left < 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of documents of a segment that pass, but at most {@code most} + 1. */
  private static int count(LeafReaderContext leaf, Weight weight, int most) throws IOException {
    ScorerSupplier supplier = weight.scorerSupplier(leaf);
    if (supplier == null) {
      return 0;
    }
    Bits live = leaf.reader().getLiveDocs();
    DocIdSetIterator passing = supplier.get(most).iterator();
    int count = 0;
    while (count <= most && passing.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      count += live == null || live.get(passing.docID()) ? 1 : 0;
    }
    return count;
  }

  private List<ScoredDocument> searchGraph(int wanted, Optional<Query> filter) throws IOException {
    int candidates = Math.max(wanted, rules.hnswEfSearch());
    Query query =
        new KnnFloatVectorQuery(IndexFormatV1.VECTOR, vector, candidates, filter.orElse(null));
    List<ScoredDocument> found = new ArrayList<>();
    for (ScoreDoc document : searcher.search(query, wanted).scoreDocs) {
      found.add(new ScoredDocument(document.doc, document.score));
    }
    return found;
  }

  /** Returns the best documents among all; the id decides between equal ones. */
  private List<ScoredDocument> compareAll(int wanted, Optional<Query> filter) throws IOException {
    Optional<Weight> only = filter.isEmpty() ? Optional.empty() : Optional.of(weight(filter.get()));
    List<ScoredDocument> scored = new ArrayList<>();
    FloatHeap best = new FloatHeap(wanted);
    for (LeafReaderContext leaf : leaves) {
      compareLeaf(leaf, only, scored, best);
    }
    float least = best.size() < wanted ? Float.NEGATIVE_INFINITY : best.peek();
    List<ScoredDocument> chosen =
        new ArrayList<>(scored.stream().filter(s -> s.score() > least).toList());
    List<ScoredDocument> equal = scored.stream().filter(s -> s.score() == least).toList();
    chosen.addAll(firstById(equal, wanted - chosen.size()));
    chosen.sort(
        Comparator.comparingDouble((ScoredDocument each) -> -each.score())
            .thenComparingInt(ScoredDocument::document));
    return chosen;
  }

  private List<ScoredDocument> firstById(List<ScoredDocument> equal, int wanted)
      throws IOException {
    if (equal.size() <= wanted) {
      return equal;
    }
    RecordIdLookup names = new RecordIdLookup(searcher.getIndexReader());
    Map<String, List<ScoredDocument>> byId = new TreeMap<>();
    for (ScoredDocument each : equal) {
      byId.computeIfAbsent(names.id(each.document()), _ -> new ArrayList<>()).add(each);
    }
    return byId.values().stream().flatMap(List::stream).limit(wanted).toList();
  }

  private Weight weight(Query filter) throws IOException {
    return searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1);
  }

  private void compareLeaf(
      LeafReaderContext leaf, Optional<Weight> only, List<ScoredDocument> scored, FloatHeap best)
      throws IOException {
    Optional<VectorScorer> scorer = scorer(leaf.reader());
    Optional<DocIdSetIterator> documents =
        scorer.isEmpty() ? Optional.empty() : matching(leaf, only, scorer.get());
    if (documents.isEmpty()) {
      return;
    }
    Bits live = leaf.reader().getLiveDocs();
    DocIdSetIterator each = documents.get();
    while (each.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      if (live == null || live.get(each.docID())) {
        float score = scorer.get().score();
        if (best.offer(score) || score == best.peek()) {
          scored.add(new ScoredDocument(leaf.docBase + each.docID(), score));
        }
      }
    }
  }

  private static Optional<DocIdSetIterator> matching(
      LeafReaderContext leaf, Optional<Weight> only, VectorScorer scorer) throws IOException {
    if (only.isEmpty()) {
      return Optional.of(scorer.iterator());
    }
    Scorer passing = only.get().scorer(leaf);
    return passing == null
        ? Optional.empty()
        : Optional.of(
            ConjunctionUtils.intersectIterators(
                Arrays.asList(passing.iterator(), scorer.iterator())));
  }

  private Optional<VectorScorer> scorer(LeafReader leaf) throws IOException {
    FloatVectorValues values = leaf.getFloatVectorValues(IndexFormatV1.VECTOR);
    return values == null || values.size() == 0
        ? Optional.empty()
        : Optional.ofNullable(values.scorer(vector));
  }

  /** Returns the records of the chunks, each once, in order. */
  private List<Integer> distinctRecords(List<ScoredDocument> pieces) throws IOException {
    Map<Integer, Boolean> records = new LinkedHashMap<>();
    for (ScoredDocument piece : pieces) {
      records.put(firstDocument(piece.document()), true);
    }
    return List.copyOf(records.keySet());
  }

  private int firstDocument(int document) throws IOException {
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
    NumericDocValues offsets = leaf.reader().getNumericDocValues(IndexFormatV1.OFFSET);
    boolean further = offsets != null && offsets.advanceExact(document - leaf.docBase);
    return further ? document - (int) offsets.longValue() : document;
  }

  /** Passes on the raw similarity of every candidate with a vector: the best of its chunks. */
  void score(List<SearchCandidate> byDocument, ObjDoubleConsumer<SearchCandidate> found)
      throws IOException {
    VectorSimilarity vectorSimilarity = VectorSimilarity.of(recipe.metric());
    int leaf = -1;
    SegmentVectors segmentVectors = SegmentVectors.NONE;
    for (SearchCandidate searchCandidate : byDocument) {
      int in = ReaderUtil.subIndex(searchCandidate.document(), leaves);
      if (in != leaf) {
        leaf = in;
        segmentVectors = segmentVectors(leaves.get(in));
      }
      float best = segmentVectors.best(searchCandidate.document() - leaves.get(in).docBase);
      if (best >= 0) {
        found.accept(searchCandidate, vectorSimilarity.metricValue(best));
      }
    }
  }

  private SegmentVectors segmentVectors(LeafReaderContext leaf) throws IOException {
    Optional<VectorScorer> scorer = scorer(leaf.reader());
    NumericDocValues counts = leaf.reader().getNumericDocValues(IndexFormatV1.PIECES);
    return scorer.isEmpty() || counts == null
        ? SegmentVectors.NONE
        : new SegmentVectors(scorer, counts);
  }

  /** Vectors of one segment, read forwards. */
  private static final class SegmentVectors {
    static final SegmentVectors NONE = new SegmentVectors(Optional.empty(), null);

    private final Optional<VectorScorer> scorer;
    private final @org.jspecify.annotations.Nullable NumericDocValues counts;

    SegmentVectors(
        Optional<VectorScorer> scorer, @org.jspecify.annotations.Nullable NumericDocValues counts) {
      this.scorer = scorer;
      this.counts = counts;
    }

    /** Returns the best score of a record's chunks; -1 if none has a vector. */
    float best(int first) throws IOException {
      if (scorer.isEmpty() || counts == null || !counts.advanceExact(first)) {
        return -1;
      }
      int end = first + (int) counts.longValue();
      DocIdSetIterator documents = scorer.get().iterator();
      float best = -1;
      int at = documents.docID() < first ? documents.advance(first) : documents.docID();
      while (at < end) {
        best = Math.max(best, scorer.get().score());
        at = documents.nextDoc();
      }
      return best;
    }
  }
}
