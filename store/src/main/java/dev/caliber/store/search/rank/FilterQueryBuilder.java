package dev.caliber.store.search.rank;

import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexTimestamps;
import dev.caliber.store.search.format.KeywordValues;
import dev.caliber.store.search.format.SearchDeclarations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;

/**
 * Builder of Lucene queries for filters. A filter that excludes no document is left out: most
 * filters are about validity, and most documents are valid.
 */
public final class FilterQueryBuilder {

  private final SearchDeclarations declared;
  private final IndexReader reader;

  public FilterQueryBuilder(SearchDeclarations declared, IndexReader reader) {
    this.declared = declared;
    this.reader = reader;
  }

  /** Returns all restrictions of a query; empty if it has none. */
  public Optional<Query> restrictions(SearchQuery asked) {
    List<Query> parts = new ArrayList<>();
    if (!asked.tables().isEmpty()) {
      parts.add(tables(asked));
    }
    asked.filter().ifPresent(filter -> parts.add(filterQuery(filter)));
    if (asked.from().isPresent() || asked.until().isPresent()) {
      parts.add(period(asked));
    }
    return Optional.of(all(parts)).filter(query -> !passesAll(query));
  }

  /**
   * Returns {@link #restrictions} once for each table that the index contains and the query asks
   * for.
   */
  public List<Optional<Query>> restrictionsByTable(SearchQuery asked) throws IOException {
    List<String> kinds = new ArrayList<>();
    for (String table :
        new TreeSet<>(asked.tables().isEmpty() ? declared.tables() : asked.tables())) {
      if (reader.docFreq(new Term(IndexFormatV1.TABLE, table)) > 0) {
        kinds.add(table);
      }
    }
    return kinds.size() < 2
        ? List.of(restrictions(asked))
        : kinds.stream().map(kind -> restrictions(asked.withTables(kind))).toList();
  }

  private static boolean passesAll(Query query) {
    return query instanceof MatchAllDocsQuery;
  }

  private Query tables(SearchQuery query) {
    for (String table : query.tables()) {
      if (declared.find(table).isEmpty()) {
        throw SearchException.invalidQuery(
            "table '%s' is not searchable; the searchable tables are %s"
                .formatted(table, declared.tables()));
      }
    }
    return query.tables().containsAll(declared.tables())
        ? MatchAllDocsQuery.INSTANCE
        : join(
            query.tables().stream().sorted().map(name -> term(IndexFormatV1.TABLE, name)).toList(),
            Occur.SHOULD);
  }

  private Query period(SearchQuery query) {
    long least = query.from().map(IndexTimestamps::micros).orElse(Long.MIN_VALUE);
    long end = query.until().map(IndexTimestamps::micros).orElse(Long.MAX_VALUE);
    return end == Long.MIN_VALUE ? NONE : range(IndexFormatV1.TIME, least, end - 1);
  }

  private static final Query NONE = new MatchNoDocsQuery("no document is in the period");

  private Query range(String name, long least, long greatest) {
    return hasValueInRange(name, least, greatest)
        ? LongField.newRangeQuery(name, least, greatest)
        : NONE;
  }

  private boolean hasValueInRange(String name, long least, long greatest) {
    try {
      byte[] first = PointValues.getMinPackedValue(reader, name);
      byte[] last = PointValues.getMaxPackedValue(reader, name);
      return first != null
          && last != null
          && LongPoint.decodeDimension(first, 0) <= greatest
          && LongPoint.decodeDimension(last, 0) >= least;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Query term(String field, String value) {
    return new TermQuery(new Term(field, value));
  }

  private static Query join(List<Query> parts, Occur how) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    parts.forEach(part -> query.add(part, how));
    return query.build();
  }

  Query filterQuery(SearchFilter filter) {
    return switch (filter) {
      case SearchFilter.AllOf(var parts) -> all(parts.stream().map(this::filterQuery).toList());
      case SearchFilter.AnyOf(var parts) -> any(parts);
      case SearchFilter.Not(var part) -> not(filterQuery(part));
      case SearchFilter.Has(var field) -> has(field);
      case SearchFilter.Compare compare -> compare(compare);
    };
  }

  private static Query all(List<Query> parts) {
    List<Query> asking = parts.stream().filter(part -> !passesAll(part)).toList();
    return asking.isEmpty() ? MatchAllDocsQuery.INSTANCE : join(asking, Occur.FILTER);
  }

  private Query any(List<SearchFilter> parts) {
    List<Term> terms = new ArrayList<>();
    List<Query> others = new ArrayList<>();
    for (SearchFilter part : parts) {
      switch (filterQuery(part)) {
        case TermQuery one -> terms.add(one.getTerm());
        case Query other -> others.add(other);
      }
    }
    terms.stream()
        .collect(Collectors.groupingBy(Term::field))
        .forEach((_, same) -> others.add(oneOf(same)));
    return join(others, Occur.SHOULD);
  }

  /** Builds a query for any of the values, whose number is not limited. */
  private static Query oneOf(List<Term> terms) {
    return new TermInSetQuery(terms.getFirst().field(), terms.stream().map(Term::bytes).toList());
  }

  private static Query not(Query part) {
    if (part instanceof MatchNoDocsQuery) {
      return MatchAllDocsQuery.INSTANCE;
    }
    return new BooleanQuery.Builder()
        .add(MatchAllDocsQuery.INSTANCE, Occur.FILTER)
        .add(part, Occur.MUST_NOT)
        .build();
  }

  private Query has(String field) {
    declared.fieldKind(field);
    return term(IndexFormatV1.HAS, field);
  }

  private Query compare(SearchFilter.Compare compare) {
    if (compare.comparator() == ComparisonOperator.NOT_EQUAL) {
      return notEqual(compare);
    }
    String name = IndexFormatV1.filterField(compare.field());
    return switch (declared.fieldKind(compare.field())) {
      case KEYWORD -> keyword(name, compare);
      case NUMBER -> number(name, compare);
      case TIME -> time(name, compare);
      case FLAG -> flag(name, compare);
    };
  }

  /** Builds a query for documents that have the field with another value. */
  private Query notEqual(SearchFilter.Compare compare) {
    Query equal =
        compare(
            new SearchFilter.Compare(compare.field(), ComparisonOperator.EQUAL, compare.value()));
    return new BooleanQuery.Builder()
        .add(has(compare.field()), Occur.FILTER)
        .add(equal, Occur.MUST_NOT)
        .build();
  }

  private static Query keyword(String name, SearchFilter.Compare compare) {
    String value =
        switch (compare.value()) {
          case FilterValue.TextFilterValue(var text) -> text;
          case FilterValue.EnumerationFilterValue(var text) -> text;
          case FilterValue.IdFilterValue(var id) -> id.toString();
          default -> throw SearchException.wrongType(compare.field(), "text", compare.value());
        };
    Term term = new Term(name, KeywordValues.indexedText(value));
    return switch (compare.comparator()) {
      case EQUAL -> new TermQuery(term);
      case MATCHES -> regularExpression(compare.field(), new Term(name, value));
      case CONTAINS ->
          new ConstantScoreQuery(new WildcardQuery(new Term(name, containsPattern(value))));
      case GREATER -> TermRangeQuery.newStringRange(name, value, null, false, true);
      case AT_LEAST -> TermRangeQuery.newStringRange(name, value, null, true, true);
      case LESS -> TermRangeQuery.newStringRange(name, null, value, true, false);
      case AT_MOST -> TermRangeQuery.newStringRange(name, null, value, true, true);
      case NOT_EQUAL -> throw new IllegalStateException("Handled before");
    };
  }

  private static Query regularExpression(String field, Term term) {
    try {
      return new RegexpQuery(term);
    } catch (IllegalArgumentException e) {
      throw SearchException.wrongType(
          field, "a regular expression", String.valueOf(e.getMessage()));
    }
  }

  private static String containsPattern(String value) {
    return "*" + value.replaceAll("([\\\\*?])", "\\\\$1") + "*";
  }

  private static Query number(String name, SearchFilter.Compare compare) {
    if (!(compare.value() instanceof FilterValue.NumericFilterValue(var exact))) {
      throw SearchException.wrongType(compare.field(), "a number", compare.value());
    }
    double value = exact.doubleValue();
    double least = Double.NEGATIVE_INFINITY;
    double greatest = Double.POSITIVE_INFINITY;
    return switch (compare.comparator()) {
      case EQUAL -> DoubleField.newExactQuery(name, value);
      case GREATER -> DoubleField.newRangeQuery(name, DoublePoint.nextUp(value), greatest);
      case AT_LEAST -> DoubleField.newRangeQuery(name, value, greatest);
      case LESS -> DoubleField.newRangeQuery(name, least, DoublePoint.nextDown(value));
      case AT_MOST -> DoubleField.newRangeQuery(name, least, value);
      default -> throw wrongComparator(compare);
    };
  }

  private Query time(String name, SearchFilter.Compare compare) {
    if (!(compare.value() instanceof FilterValue.TimestampFilterValue(var moment))) {
      throw SearchException.wrongType(compare.field(), "a moment", compare.value());
    }
    long value = IndexTimestamps.micros(moment);
    return switch (compare.comparator()) {
      case EQUAL -> range(name, value, value);
      case GREATER -> range(name, value + 1, Long.MAX_VALUE);
      case AT_LEAST -> range(name, value, Long.MAX_VALUE);
      case LESS -> range(name, Long.MIN_VALUE, value - 1);
      case AT_MOST -> range(name, Long.MIN_VALUE, value);
      default -> throw wrongComparator(compare);
    };
  }

  private static Query flag(String name, SearchFilter.Compare compare) {
    if (!(compare.value() instanceof FilterValue.BooleanFilterValue(var value))
        || compare.comparator() != ComparisonOperator.EQUAL) {
      throw SearchException.wrongType(compare.field(), "true or false by '='", compare.value());
    }
    return term(name, Boolean.toString(value));
  }

  private static SearchException wrongComparator(SearchFilter.Compare compare) {
    return SearchException.invalidQuery(
        "the field '%s' cannot be compared by '%s'"
            .formatted(compare.field(), compare.comparator().symbol()));
  }
}
