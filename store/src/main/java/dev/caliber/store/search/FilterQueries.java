package dev.caliber.store.search;

import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.FilterValue;
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
 * Filters as Lucene asks them. What excludes nothing is not asked: most filters are about validity,
 * and most documents are valid.
 */
final class FilterQueries {

  private final Searchables declared;
  private final IndexReader reader;

  FilterQueries(Searchables declared, IndexReader reader) {
    this.declared = declared;
    this.reader = reader;
  }

  /** Everything that a query restricts; empty if it restricts nothing. */
  Optional<Query> of(SearchQuery asked) {
    List<Query> parts = new ArrayList<>();
    if (!asked.tables().isEmpty()) {
      parts.add(tables(asked));
    }
    asked.filter().ifPresent(filter -> parts.add(of(filter)));
    if (asked.from().isPresent() || asked.until().isPresent()) {
      parts.add(period(asked));
    }
    return Optional.of(all(parts)).filter(query -> !passesAll(query));
  }

  /** What {@link #of} says, once for each kind of documents that is there and asked for. */
  List<Optional<Query>> byKind(SearchQuery asked) throws IOException {
    List<String> kinds = new ArrayList<>();
    for (String table :
        new TreeSet<>(asked.tables().isEmpty() ? declared.tables() : asked.tables())) {
      if (reader.docFreq(new Term(IndexFormatV1.TABLE, table)) > 0) {
        kinds.add(table);
      }
    }
    return kinds.size() < 2
        ? List.of(of(asked))
        : kinds.stream().map(kind -> of(asked.in(kind))).toList();
  }

  private static boolean passesAll(Query query) {
    return query instanceof MatchAllDocsQuery;
  }

  private Query tables(SearchQuery query) {
    for (String table : query.tables()) {
      if (declared.of(table).isEmpty()) {
        throw SearchException.invalidQuery(
            "the table '%s' is not searchable; there are %s".formatted(table, declared.tables()));
      }
    }
    return query.tables().containsAll(declared.tables())
        ? MatchAllDocsQuery.INSTANCE
        : joined(
            query.tables().stream().sorted().map(name -> term(IndexFormatV1.TABLE, name)).toList(),
            Occur.SHOULD);
  }

  private Query period(SearchQuery query) {
    long least = query.from().map(Moments::micros).orElse(Long.MIN_VALUE);
    long end = query.until().map(Moments::micros).orElse(Long.MAX_VALUE);
    return end == Long.MIN_VALUE ? NONE : range(IndexFormatV1.TIME, least, end - 1);
  }

  private static final Query NONE = new MatchNoDocsQuery("no document is within");

  private Query range(String name, long least, long greatest) {
    return isReached(name, least, greatest) ? LongField.newRangeQuery(name, least, greatest) : NONE;
  }

  private boolean isReached(String name, long least, long greatest) {
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

  private static Query joined(List<Query> parts, Occur how) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    parts.forEach(part -> query.add(part, how));
    return query.build();
  }

  Query of(SearchFilter filter) {
    return switch (filter) {
      case SearchFilter.All(var parts) -> all(parts.stream().map(this::of).toList());
      case SearchFilter.Any(var parts) -> any(parts);
      case SearchFilter.Not(var part) -> not(of(part));
      case SearchFilter.Has(var field) -> has(field);
      case SearchFilter.Compare compare -> compare(compare);
    };
  }

  private static Query all(List<Query> parts) {
    List<Query> asking = parts.stream().filter(part -> !passesAll(part)).toList();
    return asking.isEmpty() ? MatchAllDocsQuery.INSTANCE : joined(asking, Occur.FILTER);
  }

  private Query any(List<SearchFilter> parts) {
    List<Term> terms = new ArrayList<>();
    List<Query> others = new ArrayList<>();
    for (SearchFilter part : parts) {
      switch (of(part)) {
        case TermQuery one -> terms.add(one.getTerm());
        case Query other -> others.add(other);
      }
    }
    terms.stream()
        .collect(Collectors.groupingBy(Term::field))
        .forEach((_, same) -> others.add(oneOf(same)));
    return joined(others, Occur.SHOULD);
  }

  /** Of values there may be any number. */
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
    declared.kind(field);
    return term(IndexFormatV1.HAS, field);
  }

  private Query compare(SearchFilter.Compare compare) {
    if (compare.comparator() == Comparator.NOT_EQUAL) {
      return except(compare);
    }
    String name = IndexFormatV1.filter(compare.field());
    return switch (declared.kind(compare.field())) {
      case KEYWORD -> keyword(name, compare);
      case NUMBER -> number(name, compare);
      case TIME -> time(name, compare);
      case FLAG -> flag(name, compare);
    };
  }

  /** Has the field, with another value. */
  private Query except(SearchFilter.Compare compare) {
    Query equal =
        compare(new SearchFilter.Compare(compare.field(), Comparator.EQUAL, compare.value()));
    return new BooleanQuery.Builder()
        .add(has(compare.field()), Occur.FILTER)
        .add(equal, Occur.MUST_NOT)
        .build();
  }

  private static Query keyword(String name, SearchFilter.Compare compare) {
    String value =
        switch (compare.value()) {
          case FilterValue.Text(var text) -> text;
          case FilterValue.Choice(var text) -> text;
          case FilterValue.Identity(var id) -> id.toString();
          default -> throw SearchException.wrongType(compare.field(), "text", compare.value());
        };
    Term term = new Term(name, Keywords.indexed(value));
    return switch (compare.comparator()) {
      case EQUAL -> new TermQuery(term);
      case MATCHES -> regular(compare.field(), new Term(name, value));
      case CONTAINS -> new ConstantScoreQuery(new WildcardQuery(new Term(name, around(value))));
      case GREATER -> TermRangeQuery.newStringRange(name, value, null, false, true);
      case AT_LEAST -> TermRangeQuery.newStringRange(name, value, null, true, true);
      case LESS -> TermRangeQuery.newStringRange(name, null, value, true, false);
      case AT_MOST -> TermRangeQuery.newStringRange(name, null, value, true, true);
      case NOT_EQUAL -> throw new IllegalStateException("Handled before");
    };
  }

  private static Query regular(String field, Term term) {
    try {
      return new RegexpQuery(term);
    } catch (IllegalArgumentException e) {
      throw SearchException.wrongType(
          field, "a regular expression", String.valueOf(e.getMessage()));
    }
  }

  private static String around(String value) {
    return "*" + value.replaceAll("([\\\\*?])", "\\\\$1") + "*";
  }

  private static Query number(String name, SearchFilter.Compare compare) {
    if (!(compare.value() instanceof FilterValue.Numeric(var exact))) {
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
    if (!(compare.value() instanceof FilterValue.Moment(var moment))) {
      throw SearchException.wrongType(compare.field(), "a moment", compare.value());
    }
    long value = Moments.micros(moment);
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
    if (!(compare.value() instanceof FilterValue.Flag(var value))
        || compare.comparator() != Comparator.EQUAL) {
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
