package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.TextPattern;
import dev.caliber.kernel.Timestamps;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.memory.record.RecordKinds;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Filter of a rule, evaluated on records. A record without the field never passes a comparison, as
 * in a search.
 *
 * @param now value of {@code now()}
 * @param trajectory value of {@code current_trajectory}
 * @param patterns its regular expressions, compiled at their first use
 */
record RecordFilter(
    Optional<Filter> filter, Instant now, Id trajectory, Map<String, TextPattern> patterns) {

  RecordFilter(Optional<Filter> filter, Instant now, Id trajectory) {
    this(filter, now, trajectory, new HashMap<>());
  }

  boolean matches(Record record) {
    return filter.isEmpty() || matches(filter.get(), record);
  }

  private boolean matches(Filter part, Record record) {
    return switch (part) {
      case Filter.AndFilter(var parts) -> parts.stream().allMatch(each -> matches(each, record));
      case Filter.OrFilter(var parts) -> parts.stream().anyMatch(each -> matches(each, record));
      case Filter.ComparisonFilter(var field, var comparisonOperator, var value) ->
          RecordKinds.fieldValue(record, field)
              .filter(found -> matchesValue(found, comparisonOperator, value))
              .isPresent();
    };
  }

  private boolean matchesValue(
      Object found, ComparisonOperator comparisonOperator, FilterValue value) {
    return switch (value) {
      case FilterValue.TextFilterValue(var text) -> matchesText(found, comparisonOperator, text);
      case FilterValue.EnumerationFilterValue(var text) ->
          matchesText(found, comparisonOperator, text);
      case FilterValue.IdFilterValue(var id) ->
          matchesEquality(parseValue(found, Id.class, Id::parse), comparisonOperator, id);
      case FilterValue.CurrentTrajectoryFilterValue _ ->
          matchesEquality(parseValue(found, Id.class, Id::parse), comparisonOperator, trajectory);
      case FilterValue.NumericFilterValue(var number) ->
          found instanceof Number other
              && matchesOrder(
                  comparisonOperator, new BigDecimal(other.toString()).compareTo(number));
      case FilterValue.BooleanFilterValue(var flag) ->
          found instanceof Boolean other
              && matchesOrder(comparisonOperator, Boolean.compare(other, flag));
      case FilterValue.TimestampFilterValue(var moment) ->
          matchesEquality(
              parseValue(found, Instant.class, Timestamps::parse), comparisonOperator, moment);
      case FilterValue.RequestTimeFilterValue _ ->
          matchesEquality(
              parseValue(found, Instant.class, Timestamps::parse), comparisonOperator, now);
    };
  }

  /** Parses a value: metadata stores times and ids as texts. */
  private static <T> Optional<T> parseValue(
      Object found, Class<T> type, Function<String, T> parser) {
    if (type.isInstance(found)) {
      return Optional.of(type.cast(found));
    }
    try {
      return Optional.of(parser.apply(found.toString()));
    } catch (KernelException _) {
      return Optional.empty();
    }
  }

  private static <T extends Comparable<? super T>> boolean matchesEquality(
      Optional<T> found, ComparisonOperator comparisonOperator, T wanted) {
    return found
        .filter(other -> matchesOrder(comparisonOperator, other.compareTo(wanted)))
        .isPresent();
  }

  private boolean matchesText(Object found, ComparisonOperator comparisonOperator, String wanted) {
    String text = found.toString();
    return switch (comparisonOperator) {
      case MATCHES -> patterns.computeIfAbsent(wanted, TextPattern::of).matches(text);
      case CONTAINS -> text.contains(wanted);
      case EQUAL, NOT_EQUAL, GREATER, LESS, AT_LEAST, AT_MOST ->
          matchesOrder(comparisonOperator, text.compareTo(wanted));
    };
  }

  private static boolean matchesOrder(ComparisonOperator comparisonOperator, int compared) {
    return switch (comparisonOperator) {
      case EQUAL -> compared == 0;
      case NOT_EQUAL -> compared != 0;
      case GREATER -> compared > 0;
      case LESS -> compared < 0;
      case AT_LEAST -> compared >= 0;
      case AT_MOST -> compared <= 0;
      case MATCHES, CONTAINS -> false;
    };
  }
}
