package dev.caliber.store.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;

/** BM25 over body, title and speaker, added up. */
final class LexicalChannel {

  private final IndexSearcher searcher;
  private final List<Query> clauses;

  LexicalChannel(IndexSearcher searcher, List<String> words, SearchConfig.Lexical rules) {
    this.searcher = searcher;
    this.clauses = clauses(words, rules);
  }

  /** One for each word and field, in an order that does not depend on the query's. */
  private static List<Query> clauses(List<String> words, SearchConfig.Lexical rules) {
    Map<String, Integer> counts = new TreeMap<>();
    words.forEach(word -> counts.merge(word, 1, Integer::sum));
    List<Query> clauses = new ArrayList<>();
    counts.forEach(
        (word, count) -> {
          for (Searchable.Role role : Searchable.Role.values()) {
            add(clauses, new Term(IndexFormatV1.text(role), word), count * weight(rules, role));
          }
        });
    return clauses;
  }

  private static void add(List<Query> clauses, Term term, double boost) {
    if (boost > 0) {
      clauses.add(new BoostQuery(new TermQuery(term), (float) boost));
    }
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

  /** The best documents, with all that tie with the last of them. */
  List<Integer> top(int wanted, Optional<Query> filter) throws IOException {
    BooleanQuery.Builder any = new BooleanQuery.Builder().setMinimumNumberShouldMatch(1);
    clauses.stream()
        .limit(IndexSearcher.getMaxClauseCount())
        .forEach(c -> any.add(c, Occur.SHOULD));
    filter.ifPresent(only -> any.add(only, Occur.FILTER));
    return withTies(any.build(), wanted);
  }

  private List<Integer> withTies(Query query, int wanted) throws IOException {
    int asked = wanted + 1;
    ScoreDoc[] found = searcher.search(query, asked).scoreDocs;
    while (found.length == asked && found[wanted - 1].score == found[asked - 1].score) {
      asked *= 2;
      found = searcher.search(query, asked).scoreDocs;
    }
    List<Integer> documents = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      if (i < wanted || found[i].score == found[wanted - 1].score) {
        documents.add(found[i].doc);
      }
    }
    return documents;
  }

  /** Scores every candidate, clause by clause, so that sums do not depend on segments. */
  void score(List<Candidate> byDocument) throws IOException {
    double[] sums = new double[byDocument.size()];
    for (Query clause : clauses) {
      Weight weight = searcher.createWeight(searcher.rewrite(clause), ScoreMode.COMPLETE, 1);
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
