package dev.caliber.store.search.rank;

import dev.caliber.store.search.SearchBounds;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.format.IndexFormatV1;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;

/** Channel of BM25 scores, added over body, title and speaker. */
final class LexicalChannel {

  /*
   * The constant of BM25's inverse document frequency: a word that no document has is rare, not
   * infinitely so.
   */
  private static final double HALF = 0.5;

  private static final Sort BY_SCORE_AND_ID =
      new Sort(SortField.FIELD_SCORE, new SortField(IndexFormatV1.ID, SortField.Type.STRING));

  private final IndexSearcher searcher;
  private final List<TermClause> clauses;
  private final boolean shortened;
  private final double attainable;

  /** Word in one field, and the number of documents that have it. */
  private record TermClause(Term term, double boost, int documents) {
    Query query() {
      return new BoostQuery(new TermQuery(term), (float) boost);
    }
  }

  LexicalChannel(IndexSearcher searcher, List<String> words, SearchConfig.LexicalSettings rules)
      throws IOException {
    this.searcher = searcher;
    List<TermClause> all = clauses(words, rules);
    this.clauses =
        all.stream()
            .sorted(Comparator.comparingInt(TermClause::documents).thenComparing(TermClause::term))
            .limit(SearchBounds.MAX_CLAUSES)
            .sorted(Comparator.comparing(TermClause::term))
            .toList();
    this.shortened = clauses.size() < all.size();
    this.attainable = attainableScore(words, rules);
  }

  /** Returns the score of a document of average length that has every word of the query once. */
  private double attainableScore(List<String> words, SearchConfig.LexicalSettings rules)
      throws IOException {
    String field = IndexFormatV1.textField(Searchable.TextRole.BODY);
    CollectionStatistics bodies = searcher.collectionStatistics(field);
    if (bodies == null) {
      return 0;
    }
    double sum = 0;
    for (String word : words) {
      long documents = documents(new Term(field, word));
      double rarity = (bodies.docCount() - documents + HALF) / (documents + HALF);
      sum += Math.log(1 + rarity);
    }
    return sum * rules.bodyWeight() / (1 + rules.k1());
  }

  private long documents(Term term) throws IOException {
    int documents = searcher.getIndexReader().docFreq(term);
    return documents == 0
        ? 0
        : searcher
            .termStatistics(term, documents, searcher.getIndexReader().totalTermFreq(term))
            .docFreq();
  }

  /**
   * Returns a score as a share of the score that a document with all words of the query can have.
   */
  double scoreShare(double score) {
    return attainable > 0 ? Math.min(1, score / attainable) : 0;
  }

  /**
   * Returns one clause for each word and field that the index knows, independently of the query's
   * order.
   */
  private List<TermClause> clauses(List<String> words, SearchConfig.LexicalSettings rules)
      throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    words.forEach(word -> counts.merge(word, 1, Integer::sum));
    List<TermClause> found = new ArrayList<>();
    for (Map.Entry<String, Integer> word : counts.entrySet()) {
      for (Searchable.TextRole textRole : Searchable.TextRole.values()) {
        Term term = new Term(IndexFormatV1.textField(textRole), word.getKey());
        double boost = word.getValue() * weight(rules, textRole);
        int documents = boost > 0 ? searcher.getIndexReader().docFreq(term) : 0;
        if (documents > 0) {
          found.add(new TermClause(term, boost, documents));
        }
      }
    }
    return found;
  }

  /** Returns whether only the rarest words of a very long query count. */
  boolean isShortened() {
    return shortened;
  }

  private static double weight(SearchConfig.LexicalSettings rules, Searchable.TextRole textRole) {
    return switch (textRole) {
      case BODY -> rules.bodyWeight();
      case TITLE -> rules.titleWeight();
      case SPEAKER -> rules.speakerWeight();
    };
  }

  boolean hasNoClauses() {
    return clauses.isEmpty();
  }

  /** Returns the best documents; the id decides between equal ones. */
  List<Integer> topDocuments(int wanted, Optional<Query> filter) throws IOException {
    BooleanQuery.Builder any = new BooleanQuery.Builder().setMinimumNumberShouldMatch(1);
    clauses.forEach(termClause -> any.add(termClause.query(), Occur.SHOULD));
    filter.ifPresent(only -> any.add(only, Occur.FILTER));
    return topDocuments(any.build(), wanted);
  }

  /*
   * Lucene skips documents that cannot be among the best, but not when it sorts by another field
   * too. So it sorts that way only if the last ranks have equal scores, of which there may be any
   * number.
   */
  private List<Integer> topDocuments(Query query, int wanted) throws IOException {
    ScoreDoc[] found = searcher.search(query, wanted + 1).scoreDocs;
    if (found.length > wanted && found[wanted - 1].score == found[wanted].score) {
      found = searcher.search(query, wanted, BY_SCORE_AND_ID).scoreDocs;
    }
    return Stream.of(found).limit(wanted).map(each -> each.doc).toList();
  }

  /** Scores every candidate, clause by clause, so that sums do not depend on segments. */
  void score(List<SearchCandidate> byDocument) throws IOException {
    double[] sums = new double[byDocument.size()];
    for (TermClause termClause : clauses) {
      Query query = searcher.rewrite(termClause.query());
      Weight weight = searcher.createWeight(query, ScoreMode.COMPLETE, 1);
      addScores(weight, byDocument, sums);
    }
    for (int i = 0; i < sums.length; i++) {
      if (sums[i] > 0) {
        byDocument.get(i).setRaw(SearchChannel.LEXICAL, sums[i]);
      }
    }
  }

  private void addScores(Weight weight, List<SearchCandidate> byDocument, double[] sums)
      throws IOException {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    int leaf = -1;
    Scorer scorer = null;
    for (int i = 0; i < sums.length; i++) {
      int document = byDocument.get(i).document();
      int in = ReaderUtil.subIndex(document, leaves);
      if (in != leaf) {
        leaf = in;
        scorer = weight.scorer(leaves.get(in));
      }
      if (scorer != null && containsDocument(scorer, document - leaves.get(in).docBase)) {
        sums[i] += scorer.score();
      }
    }
  }

  private static boolean containsDocument(Scorer scorer, int document) throws IOException {
    int at = scorer.docID();
    return (at < document ? scorer.iterator().advance(document) : at) == document;
  }
}
