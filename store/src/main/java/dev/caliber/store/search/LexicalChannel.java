package dev.caliber.store.search;

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

/** BM25 over body, title and speaker, added up. */
final class LexicalChannel {

  /* As BM25 counts: a word that no document has is rare, not infinitely so. */
  private static final double HALF = 0.5;

  private static final Sort BY_SCORE_AND_ID =
      new Sort(SortField.FIELD_SCORE, new SortField(IndexFormatV1.ID, SortField.Type.STRING));

  private final IndexSearcher searcher;
  private final List<Clause> clauses;
  private final boolean shortened;
  private final double attainable;

  /** A word in one field, and how many documents have it. */
  private record Clause(Term term, double boost, int documents) {
    Query query() {
      return new BoostQuery(new TermQuery(term), (float) boost);
    }
  }

  LexicalChannel(IndexSearcher searcher, List<String> words, SearchConfig.Lexical rules)
      throws IOException {
    this.searcher = searcher;
    List<Clause> all = clauses(words, rules);
    this.clauses =
        all.stream()
            .sorted(Comparator.comparingInt(Clause::documents).thenComparing(Clause::term))
            .limit(SearchBounds.MAX_CLAUSES)
            .sorted(Comparator.comparing(Clause::term))
            .toList();
    this.shortened = clauses.size() < all.size();
    this.attainable = attainable(words, rules);
  }

  /** The score of a document of average length that has every word of the query once. */
  private double attainable(List<String> words, SearchConfig.Lexical rules) throws IOException {
    String field = IndexFormatV1.text(Searchable.Role.BODY);
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

  /** A score as a share of what a document can have that has all words of the query. */
  double share(double score) {
    return attainable > 0 ? Math.min(1, score / attainable) : 0;
  }

  /** One for each word and field that the index knows, whatever order the query has. */
  private List<Clause> clauses(List<String> words, SearchConfig.Lexical rules) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    words.forEach(word -> counts.merge(word, 1, Integer::sum));
    List<Clause> found = new ArrayList<>();
    for (Map.Entry<String, Integer> word : counts.entrySet()) {
      for (Searchable.Role role : Searchable.Role.values()) {
        Term term = new Term(IndexFormatV1.text(role), word.getKey());
        double boost = word.getValue() * weight(rules, role);
        int documents = boost > 0 ? searcher.getIndexReader().docFreq(term) : 0;
        if (documents > 0) {
          found.add(new Clause(term, boost, documents));
        }
      }
    }
    return found;
  }

  /** Whether only the rarest words of a very long query count. */
  boolean isShortened() {
    return shortened;
  }

  private static double weight(SearchConfig.Lexical rules, Searchable.Role role) {
    return switch (role) {
      case BODY -> rules.bodyWeight();
      case TITLE -> rules.titleWeight();
      case SPEAKER -> rules.speakerWeight();
    };
  }

  boolean isSilent() {
    return clauses.isEmpty();
  }

  /** The best documents; the id decides between equal ones. */
  List<Integer> top(int wanted, Optional<Query> filter) throws IOException {
    BooleanQuery.Builder any = new BooleanQuery.Builder().setMinimumNumberShouldMatch(1);
    clauses.forEach(clause -> any.add(clause.query(), Occur.SHOULD));
    filter.ifPresent(only -> any.add(only, Occur.FILTER));
    return top(any.build(), wanted);
  }

  /* Lucene skips what cannot be among the best, but not when it sorts by another field too. That
  is done only where the last places are between equals, of which there may be any number. */
  private List<Integer> top(Query query, int wanted) throws IOException {
    ScoreDoc[] found = searcher.search(query, wanted + 1).scoreDocs;
    if (found.length > wanted && found[wanted - 1].score == found[wanted].score) {
      found = searcher.search(query, wanted, BY_SCORE_AND_ID).scoreDocs;
    }
    return Stream.of(found).limit(wanted).map(each -> each.doc).toList();
  }

  /** Scores every candidate, clause by clause, so that sums do not depend on segments. */
  void score(List<Candidate> byDocument) throws IOException {
    double[] sums = new double[byDocument.size()];
    for (Clause clause : clauses) {
      Query query = searcher.rewrite(clause.query());
      Weight weight = searcher.createWeight(query, ScoreMode.COMPLETE, 1);
      addScores(weight, byDocument, sums);
    }
    for (int i = 0; i < sums.length; i++) {
      if (sums[i] > 0) {
        byDocument.get(i).raw(Channel.LEXICAL, sums[i]);
      }
    }
  }

  private void addScores(Weight weight, List<Candidate> byDocument, double[] sums)
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
      if (scorer != null && reach(scorer, document - leaves.get(in).docBase)) {
        sums[i] += scorer.score();
      }
    }
  }

  private static boolean reach(Scorer scorer, int document) throws IOException {
    int at = scorer.docID();
    return (at < document ? scorer.iterator().advance(document) : at) == document;
  }
}
