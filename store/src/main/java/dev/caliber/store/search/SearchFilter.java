package dev.caliber.store.search;

import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import java.util.List;

/** Filter on the fields that searchable tables declare. */
public sealed interface SearchFilter {

  /** Filter that matches if every part does. */
  record AllOf(List<SearchFilter> parts) implements SearchFilter {
    public AllOf {
      parts = List.copyOf(parts);
    }
  }

  /** Filter that matches if one of the parts does; without parts it never matches. */
  record AnyOf(List<SearchFilter> parts) implements SearchFilter {
    public AnyOf {
      parts = List.copyOf(parts);
    }
  }

  /** Filter that matches if the part does not. */
  record Not(SearchFilter part) implements SearchFilter {}

  /** Comparison of a field with a value. A document without the field never matches. */
  record Compare(String field, ComparisonOperator comparator, FilterValue value)
      implements SearchFilter {}

  /** Filter that matches documents with the field. */
  record Has(String field) implements SearchFilter {}

  static SearchFilter equal(String field, String value) {
    return new Compare(field, ComparisonOperator.EQUAL, new FilterValue.TextFilterValue(value));
  }

  static SearchFilter anyOf(String field, List<String> values) {
    return new AnyOf(values.stream().map(value -> equal(field, value)).toList());
  }

  static SearchFilter compare(
      String field, ComparisonOperator comparisonOperator, FilterValue value) {
    return new Compare(field, comparisonOperator, value);
  }

  static SearchFilter allOf(SearchFilter... parts) {
    return new AllOf(List.of(parts));
  }

  /** Converts a filter of a compiled configuration. */
  static SearchFilter of(Filter filter) {
    return switch (filter) {
      case Filter.AndFilter andFilter ->
          new AllOf(andFilter.parts().stream().map(SearchFilter::of).toList());
      case Filter.OrFilter orFilter ->
          new AnyOf(orFilter.parts().stream().map(SearchFilter::of).toList());
      case Filter.ComparisonFilter(var field, var comparisonOperator, var value) ->
          new Compare(field, comparisonOperator, value);
    };
  }
}
