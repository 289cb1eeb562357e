package dev.caliber.store.search;

import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import java.util.List;

/** Which documents a query is about. Fields are those that searchable tables declare. */
public sealed interface SearchFilter {

  /** Every part holds. */
  record All(List<SearchFilter> parts) implements SearchFilter {
    public All {
      parts = List.copyOf(parts);
    }
  }

  /** One of the parts holds; without parts nothing does. */
  record Any(List<SearchFilter> parts) implements SearchFilter {
    public Any {
      parts = List.copyOf(parts);
    }
  }

  /** The part does not hold. */
  record Not(SearchFilter part) implements SearchFilter {}

  /** The field and the value compare so. A document without the field never matches. */
  record Compare(String field, Comparator comparator, FilterValue value) implements SearchFilter {}

  /** The document has the field. */
  record Has(String field) implements SearchFilter {}

  static SearchFilter equal(String field, String value) {
    return new Compare(field, Comparator.EQUAL, new FilterValue.Text(value));
  }

  static SearchFilter anyOf(String field, List<String> values) {
    return new Any(values.stream().map(value -> equal(field, value)).toList());
  }

  static SearchFilter compare(String field, Comparator comparator, FilterValue value) {
    return new Compare(field, comparator, value);
  }

  static SearchFilter all(SearchFilter... parts) {
    return new All(List.of(parts));
  }

  /** What a compiled configuration says. */
  static SearchFilter of(Filter filter) {
    return switch (filter) {
      case Filter.And and -> new All(and.parts().stream().map(SearchFilter::of).toList());
      case Filter.Or or -> new Any(or.parts().stream().map(SearchFilter::of).toList());
      case Filter.Comparison(var field, var comparator, var value) ->
          new Compare(field, comparator, value);
    };
  }
}
