package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.TextPattern;
import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.Filter;
import dev.caliber.kernel.config.FilterValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule's filter, evaluated on records. A record without the field never passes a comparison, as
 * in a search.
 *
 * @param now what {@code now()} means
 * @param trajectory what {@code current_trajectory} means
 * @param patterns its regular expressions, compiled at their first use
 */
record RecordFilter(
    Optional<Filter> filter, Instant now, Id trajectory, Map<String, TextPattern> patterns) {

  RecordFilter(Optional<Filter> filter, Instant now, Id trajectory) {
    this(filter, now, trajectory, new HashMap<>());
  }

  boolean passes(Record record) {
    return filter.isEmpty() || passes(filter.get(), record);
  }

  private boolean passes(Filter part, Record record) {
    return switch (part) {
      case Filter.And(var parts) -> parts.stream().allMatch(each -> passes(each, record));
      case Filter.Or(var parts) -> parts.stream().anyMatch(each -> passes(each, record));
      case Filter.Comparison(var field, var comparator, var value) ->
          compares(Fields.of(record, field), comparator, value);
    };
  }

  private boolean compares(@Nullable Object found, Comparator comparator, FilterValue value) {
    if (found == null) {
      return false;
    }
    return switch (value) {
      case FilterValue.Text(var text) -> text(found, comparator, text);
      case FilterValue.Choice(var text) -> text(found, comparator, text);
      case FilterValue.Identity(var id) -> text(found, comparator, id.toString());
      case FilterValue.CurrentTrajectory _ -> text(found, comparator, trajectory.toString());
      case FilterValue.Numeric(var number) ->
          found instanceof Number other
              && ordered(comparator, new BigDecimal(other.toString()).compareTo(number));
      case FilterValue.Flag(var flag) ->
          found instanceof Boolean other && ordered(comparator, Boolean.compare(other, flag));
      case FilterValue.Moment(var moment) -> moment(found, comparator, moment);
      case FilterValue.Now _ -> moment(found, comparator, now);
    };
  }

  private static boolean moment(Object found, Comparator comparator, Instant moment) {
    return found instanceof Instant other && ordered(comparator, other.compareTo(moment));
  }

  private boolean text(Object found, Comparator comparator, String wanted) {
    String text = found.toString();
    return switch (comparator) {
      case MATCHES -> patterns.computeIfAbsent(wanted, TextPattern::of).matches(text);
      case CONTAINS -> text.contains(wanted);
      case EQUAL, NOT_EQUAL, GREATER, LESS, AT_LEAST, AT_MOST ->
          ordered(comparator, text.compareTo(wanted));
    };
  }

  private static boolean ordered(Comparator comparator, int compared) {
    return switch (comparator) {
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
